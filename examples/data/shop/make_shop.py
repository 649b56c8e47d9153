#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the database of a shop: make_shop.py [--customers 150] [--seed 1] shop.sqlite

Two columns are to be learned, and their rules are planted:
  customers.churned   the customer has a ticket of severity `high` that is not resolved
  orders.returned     the order came over the web and is worth more than 100
"""

import argparse
import datetime
import pathlib
import random
import sqlite3

SCHEMA = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, country TEXT, segment TEXT,
                        since DATE, churned INTEGER);
CREATE TABLE products (id INTEGER PRIMARY KEY, title TEXT, category TEXT, price REAL);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id),
                     order_date DATE, channel TEXT, amount REAL, returned INTEGER);
CREATE TABLE order_items (order_id INTEGER REFERENCES orders(id),
                          product_id INTEGER REFERENCES products(id), quantity INTEGER,
                          PRIMARY KEY (order_id, product_id));
CREATE TABLE tickets (id INTEGER PRIMARY KEY, customer_id INTEGER, opened DATE, severity TEXT,
                      resolved INTEGER);
"""
COUNTRIES = ["DE", "FR", "IT", "NL", "PL", "SE"]
CATEGORIES = ["book", "garden", "kitchen", "toy"]


def day(rng):
    return (datetime.date(2023, 1, 1) + datetime.timedelta(rng.randrange(700))).isoformat()


def make(path, customers, seed):
    rng = random.Random(seed)
    pathlib.Path(path).unlink(missing_ok=True)
    database = sqlite3.connect(path)
    database.executescript(SCHEMA)
    products = [
        (i, f"article {i}", rng.choice(CATEGORIES), rng.randrange(200, 6000) / 100)
        for i in range(1, 41)
    ]
    database.executemany("INSERT INTO products VALUES (?, ?, ?, ?)", products)
    order = ticket = 0
    for customer in range(1, customers + 1):
        churned = 0
        for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
            ticket += 1
            severity = rng.choice(["low", "low", "medium", "high"])
            resolved = int(rng.random() < 0.6)
            churned |= int(severity == "high" and not resolved)
            database.execute(
                "INSERT INTO tickets VALUES (?, ?, ?, ?, ?)",
                (ticket, customer, day(rng), severity, resolved),
            )
        for _ in range(rng.choice([1, 2, 2, 3, 4])):
            order += 1
            channel = rng.choice(["web", "web", "store", "phone"])
            items = [
                (order, product[0], rng.randrange(1, 4))
                for product in rng.sample(products, rng.randrange(1, 5))
            ]
            amount = round(sum(q * products[p - 1][3] for _, p, q in items), 2)
            returned = int(channel == "web" and amount > 100)
            database.execute(
                "INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?)",
                (order, customer, day(rng), channel, amount, returned),
            )
            database.executemany("INSERT INTO order_items VALUES (?, ?, ?)", items)
        database.execute(
            "INSERT INTO customers VALUES (?, ?, ?, ?, ?, ?)",
            (
                customer,
                f"customer no. {customer}",
                rng.choice(COUNTRIES),
                rng.choice(["private", "business"]),
                day(rng),
                churned,
            ),
        )
    database.commit()
    database.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("path")
    parser.add_argument("--customers", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    make(arguments.path, arguments.customers, arguments.seed)
