// SPDX-License-Identifier: Apache-2.0
#include "logic/swi_built_ins.hpp"

#include <string>
#include <string_view>

namespace hri::logic {
namespace {

// Each name between blanks.
constexpr std::string_view kCompiled =
    " "
    "atom/1 atomic/1 call/1 call/2 callable/1 compound/1 float/1 integer/1 nonvar/1 number/1 "
    "rational/1 string/1 var/1 </2 >/2 =</2 >=/2 =:=/2 =\\=/2 ==/2 \\==/2 @</2 @>/2 @=</2 "
    "@>=/2 is/2 =../2 \\=/2 ";

constexpr std::string_view kProtected =
    " "
    "abolish/1 acyclic_term/1 asserta/1 assertz/1 at_end_of_stream/0 at_end_of_stream/1 "
    "atom_chars/2 atom_codes/2 atom_length/2 char_code/2 char_conversion/2 clause/2 close/1 "
    "close/2 copy_term/2 current_char_conversion/2 current_input/1 current_output/1 "
    "current_predicate/1 current_prolog_flag/2 flush_output/0 flush_output/1 forall/2 "
    "get_byte/1 get_byte/2 get_char/1 get_char/2 get_code/1 get_code/2 ground/1 halt/0 halt/1 "
    "keysort/2 length/2 message_queue_create/2 message_queue_destroy/1 "
    "message_queue_property/2 mutex_create/2 mutex_destroy/1 mutex_lock/1 mutex_property/2 "
    "mutex_trylock/1 mutex_unlock/1 nl/0 nl/1 number_chars/2 number_codes/2 once/1 "
    "peek_byte/1 peek_byte/2 peek_char/1 peek_char/2 peek_code/1 peek_code/2 phrase/2 "
    "put_byte/1 put_byte/2 put_char/1 put_char/2 put_code/1 put_code/2 read/1 read/2 "
    "read_term/2 repeat/0 retract/1 retractall/1 set_input/1 set_output/1 set_prolog_flag/2 "
    "set_stream_position/2 sort/2 stream_property/2 subsumes_term/2 term_variables/2 "
    "thread_detach/1 thread_get_message/1 thread_get_message/2 thread_peek_message/1 "
    "thread_peek_message/2 thread_property/2 thread_self/1 thread_send_message/2 "
    "thread_signal/2 throw/1 unify_with_occurs_check/2 with_mutex/2 write/1 write/2 "
    "write_canonical/1 write_canonical/2 write_term/2 writeq/1 writeq/2 ";

bool lists(std::string_view names, const PredicateSymbol& symbol) {
    const std::string name = " " + symbol.name + "/" + std::to_string(symbol.arity) + " ";
    return symbol.name.find(' ') == std::string::npos && names.find(name) != std::string_view::npos;
}

}  // namespace

bool is_protected_by_swi(const PredicateSymbol& symbol) {
    return lists(kProtected, symbol) || lists(kCompiled, symbol);
}

bool is_compiled_into_swi(const PredicateSymbol& symbol) { return lists(kCompiled, symbol); }

}  // namespace hri::logic
