# SPDX-License-Identifier: Apache-2.0
"""Model files are safetensors, which anybody can read."""

import json
import struct

import numpy as np
import pytest

import hri


def read_safetensors(path):
    """Tensors and metadata, without hri: length, JSON header, data."""
    content = path.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    metadata = header.pop("__metadata__")
    data = content[8 + length :]
    tensors = {}
    for name, described in header.items():
        assert described["dtype"] == "F32"
        begin, end = described["data_offsets"]
        tensors[name] = np.frombuffer(data[begin:end], "<f4").reshape(described["shape"])
    return tensors, metadata


@pytest.fixture
def saved(tmp_path):
    model = hri.Model([("father", 2), ("mother", 2)], ("grandparent", 2), seed=5, layers=3)
    model.save(str(tmp_path / "model.safetensors"))
    return model, tmp_path / "model.safetensors"


def test_a_model_is_read_without_hri(saved):
    model, path = saved
    tensors, metadata = read_safetensors(path)
    assert set(tensors) == {"predicates", "slots"}
    np.testing.assert_array_equal(tensors["predicates"], model.predicate_embeddings)
    np.testing.assert_array_equal(tensors["slots"], model.slot_embeddings)
    assert json.loads(metadata["predicates"]) == model.predicates
    assert json.loads(metadata["target"]) == ["grandparent", 2]
    options = json.loads(metadata["options"])
    assert options["layers"] == 3 and set(options) == set(hri.Options().to_dict())
    assert metadata["protorules"].splitlines() == model.rules


def test_the_library_of_that_name_reads_it_too(saved):
    numpy_reader = pytest.importorskip("safetensors.numpy")
    model, path = saved
    tensors = numpy_reader.load_file(path)
    np.testing.assert_array_equal(tensors["slots"], model.slot_embeddings)


def test_a_model_comes_back_as_it_was(saved):
    model, path = saved
    again = hri.Model.load(str(path))
    assert again.to_bytes() == model.to_bytes() == path.read_bytes()
    assert again.options == model.options and again.slots == model.slots
    assert hri.Model.from_bytes(model.to_bytes()).predicates == model.predicates


def test_a_learned_model_explains_and_draws_itself():
    program = hri.learn("grandparent", max_work=300_000, time_limit=0)
    model = program.report.model
    (instance,) = hri.task("grandparent").instances(count=1)
    explanation = model.explain(instance, "grandparent(0,1)")
    assert explanation.soft and 0 <= explanation.value <= 1
    assert model.to_dot().startswith("digraph")
    assert json.loads(model.to_json())
