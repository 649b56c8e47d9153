// SPDX-License-Identifier: Apache-2.0
#include "data/grounding/prolog_server.hpp"

namespace hri::data {

// A request is a term, an answer is lines that end with one that begins with "e". Terms have
// numbers on both sides: in the order in which either side first mentions them.
//
//   load(Text)                 reads clauses into the modules hri_raw and hri_guarded
//   term(T)                    gives T the next number, unless it has one: "n Number"
//   call(Module,Name,Args,Inferences,Solutions)
//                              Args: numbers, or variables for what is asked. "t Text" announces a
//                              term with the next number, "r Number ..." is an answer.
//
// hri_raw has the clauses as they are. In hri_guarded a goal that is not logic (\+ X == Y, var(X),
// a cut, ...) throws where a variable that it shares with the rest of its clause has no value, so
// that what it answers does not depend on the order in which arguments get their values.
std::string_view prolog_server() {
    static constexpr std::string_view kClauses = R"PROLOG(
:- use_module(library(sandbox)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- op(950, xfx, ::).

hri_serve :-
    trie_new(Trie), nb_setval(hri_trie, Trie), nb_setval(hri_next, 0),
    set_stream(user_input, encoding(utf8)), set_stream(user_output, encoding(utf8)),
    set_stream(user_output, buffer(full)),
    forall(member(M, [hri_raw, hri_guarded]),
           ( set_prolog_flag(M:unknown, fail), set_prolog_flag(M:double_quotes, atom))),
    set_prolog_flag(stack_limit, 1_000_000_000),
    hri_loop.

hri_loop :-
    repeat,
    catch(read_term(user_input, Request, [double_quotes(string)]), _, Request = bad),
    ( Request == end_of_file -> !, halt
    ; ( catch(hri_do(Request), E, hri_end(E)) -> true ; hri_end(failure) ),
      flush_output(user_output), fail
    ).

hri_end(E) :- message_to_codes_line(E, Text), format(user_output, "e error ~w~n", [Text]).

message_to_codes_line(E, Text) :-
    ( E = error(Formal, _) -> Shown = Formal ; Shown = E ),
    catch(format(string(S), "~p", [Shown]), _, S = "an error"),
    split_string(S, "\n", " ", Lines), atomic_list_concat(Lines, ' ', Long),
    sub_atom_at_most(Long, 300, Text).

sub_atom_at_most(A, N, B) :- atom_length(A, L), ( L =< N -> B = A ; sub_atom(A, 0, N, _, B) ).

hri_do(load(Text)) :- !,
    open_string(Text, Stream),
    hri_load(Stream, Result), close(Stream),
    format(user_output, "e ~w~n", [Result]).
hri_do(term(T)) :- !,
    hri_number(T, N), format(user_output, "n ~d~ne ok~n", [N]).
hri_do(call(M, Name, Numbers, Inferences, Solutions)) :- !,
    maplist(hri_argument, Numbers, Arguments),
    Goal =.. [Name|Arguments],
    hri_safe(M, Goal),
    Count = count(0),
    catch(( call_with_inference_limit(
                findall(Arguments, ( M:Goal, hri_count(Arguments, Count, Solutions) ), Answers),
                Inferences, R),
            ( R == inference_limit_exceeded -> Status = inferences ; Status = ok ) ),
          E, hri_status(E, Status)),
    % Terms get their numbers outside of the limit, so that both sides agree on them.
    ( Status == ok -> forall(member(Answer, Answers), hri_answer(Answer)) ; true ),
    format(user_output, "e ~w~n", [Status]).
hri_do(_) :- format(user_output, "e error a bad request~n", []).

hri_status(hri_open, open) :- !.
hri_status(hri_solutions, solutions) :- !.
hri_status(hri_unguarded, unguarded) :- !.
hri_status(error(instantiation_error, _), unguarded) :- !.
hri_status(E, Status) :- message_to_codes_line(E, T), atom_concat('error ', T, Status).

hri_count(Arguments, Count, Solutions) :-
    ( ground(Arguments) -> true ; throw(hri_open) ),
    arg(1, Count, N), N1 is N + 1, nb_setarg(1, Count, N1),
    ( N1 > Solutions -> throw(hri_solutions) ; true ).

hri_answer(Arguments) :-
    hri_numbers(Arguments, Numbers),
    atomic_list_concat([r|Numbers], ' ', Line), write(user_output, Line), nl(user_output).

hri_numbers([], []).
hri_numbers([T|Ts], [N|Ns]) :- hri_number(T, N), hri_numbers(Ts, Ns).

:- dynamic(hri_term/2).

hri_argument(N, T) :- ( integer(N) -> hri_term(N, T) ; true ).

hri_number(T, N) :-
    nb_getval(hri_trie, Trie),
    ( trie_lookup(Trie, T, N) -> true
    ; nb_getval(hri_next, N), N1 is N + 1, nb_setval(hri_next, N1),
      trie_insert(Trie, T, N), assertz(hri_term(N, T)),
      write(user_output, 't '),
      write_term(user_output, T, [quoted(true), ignore_ops(true)]), nl(user_output)
    ).

% What is called must not reach files, processes or the network.
:- dynamic(hri_is_safe/2).
hri_safe(M, Goal) :-
    functor(Goal, Name, Arity),
    ( hri_is_safe(M, Name/Arity) -> true
    ; functor(General, Name, Arity),
      hri_check(M, General, 1000),
      assertz(hri_is_safe(M, Name/Arity))
    ).
hri_check(M, Goal, N) :-
    catch(sandbox:safe_goal(M:Goal), E, true),
    ( var(E) -> true
    ; E = error(existence_error(procedure, Missing), _), N > 0,
      hri_missing(Missing, M, Name/Arity) ->  % it has no facts
        dynamic(M:Name/Arity), N1 is N - 1, hri_check(M, Goal, N1)
    ; E = error(instantiation_error, _) -> throw(error(permission_error(call, sandboxed, unknown_goal), _))
    ; throw(E)
    ).

hri_missing(_:G, M, PI) :- !, hri_missing(G, M, PI).
hri_missing(Name/Arity, _, Name/Arity) :- !.
hri_missing(G, _, Name/Arity) :- callable(G), functor(G, Name, Arity).

% Clauses one by one; directives that only declare something are obeyed, others are passed over.
hri_load(Stream, Result) :-
    catch(hri_load_clauses(Stream), E, true),
    ( var(E) -> Result = ok
    ; message_to_codes_line(E, T),
      ( E = error(_, stream(_, Line, _, _)) -> true ; Line = 0 ),
      format(atom(Result), "error ~w ~w", [Line, T]) ).
hri_load_clauses(Stream) :-
    repeat,
    read_term(Stream, Clause, [module(hri_raw), double_quotes(atom)]),
    ( Clause == end_of_file -> !
    ; catch(hri_add(Clause), E, (hri_ignorable(E) -> true ; throw(E))), fail ).

hri_ignorable(error(permission_error(_, _, _), _)).

hri_add((:- Directive)) :- !, hri_directive(Directive).
hri_add((?- _)) :- !.
hri_add((_ :: Fact)) :- !, hri_add(Fact).
hri_add((Head --> Body)) :- !, dcg_translate_rule((Head --> Body), Clause), hri_add(Clause).
hri_add((Head :- Body)) :- !,
    hri_own(Head),
    assertz(hri_raw:(Head :- Body)),
    term_variables(Head, HeadVariables),
    hri_guard(Body, HeadVariables, Guarded),
    assertz(hri_guarded:(Head :- Guarded)).
hri_add(Head) :- hri_own(Head), assertz(hri_raw:Head), assertz(hri_guarded:Head).

:- dynamic(hri_owned/1).
hri_own(Head) :-
    callable(Head), functor(Head, Name, Arity),
    ( hri_owned(Name/Arity) -> true
    ; assertz(hri_owned(Name/Arity)),
      functor(General, Name, Arity),
      forall(member(M, [hri_raw, hri_guarded]),
             ( ( predicate_property(system:General, system) -> redefine_system_predicate(M:General) ; true ),
               dynamic(M:Name/Arity) ))
    ).

hri_directive((A, B)) :- !, hri_directive(A), hri_directive(B).
hri_directive(use_module(library(L))) :- !, hri_use(L).
hri_directive(use_module(library(L), _)) :- !, hri_use(L).
hri_directive(table(Spec)) :- !,
    hri_names(Spec, Names),
    forall(member(Name/Arity, Names),
           ( functor(H, Name, Arity), hri_own(H),
             forall(member(M, [hri_raw, hri_guarded]), catch(M:table(Name/Arity), _, true)) )).
hri_directive(op(P, T, N)) :- !, catch(op(P, T, hri_raw:N), _, true).
hri_directive(_).

hri_names((A, B), Names) :- !, hri_names(A, X), hri_names(B, Y), append(X, Y, Names).
hri_names(Name/Arity, [Name/Arity]) :- atom(Name), integer(Arity), !.
hri_names(_, []).

hri_use(L) :-
    ( memberchk(L, [lists, apply, clpfd, aggregate, pairs, assoc, ordsets, ugraphs, between,
                    arithmetic, yall, dcg/basics, dcg/high_order, option, gensym, nb_set,
                    solution_sequences, strings, rbtrees, apply_macros])
    -> forall(member(M, [hri_raw, hri_guarded]), catch(M:use_module(library(L)), _, true))
    ; true ).

% hri_guard(Goal, Outer, Guarded): Outer are variables of the rest of the clause.
hri_guard(G, _, G) :- var(G), !.
hri_guard((A, B), Outer, (GA, GB)) :- !,
    term_variables(Outer-B, OA), hri_guard(A, OA, GA),
    term_variables(Outer-A, OB), hri_guard(B, OB, GB).
hri_guard((A ; B), Outer, (GA ; GB)) :- A \= (_ -> _), A \= (_ *-> _), !,
    hri_guard(A, Outer, GA), hri_guard(B, Outer, GB).
hri_guard((C -> A ; B), Outer, (hri_bound(Shared), (GC -> GA ; GB))) :- !,
    term_variables(Outer-A, Rest), hri_shared(C, Outer, Shared),
    hri_guard(C, Rest, GC), term_variables(Outer-C, OA), hri_guard(A, OA, GA),
    hri_guard(B, Outer, GB).
hri_guard(G, Outer, (hri_bound(Shared), G)) :- hri_impure(G), !, hri_shared(G, Outer, Shared).
hri_guard(!, _, throw(hri_unguarded)) :- !.
hri_guard(G, _, G).

hri_shared(G, Outer, Shared) :-
    term_variables(G, Inner), term_variables(Outer, Others),
    hri_both(Inner, Others, Shared).

hri_both([], _, []).
hri_both([V|Vs], Others, Shared) :-
    ( member(O, Others), O == V -> Shared = [V|Rest] ; Shared = Rest ),
    hri_both(Vs, Others, Rest).

hri_impure(\+ _).       hri_impure(not(_)).      hri_impure(_ \= _).     hri_impure(_ == _).
hri_impure(_ \== _).    hri_impure(_ @< _).      hri_impure(_ @> _).     hri_impure(_ @=< _).
hri_impure(_ @>= _).    hri_impure(var(_)).      hri_impure(nonvar(_)).  hri_impure(ground(_)).
hri_impure(number(_)).  hri_impure(integer(_)).  hri_impure(float(_)).   hri_impure(atom(_)).
hri_impure(atomic(_)).  hri_impure(compound(_)). hri_impure(is_list(_)). hri_impure(callable(_)).
hri_impure(string(_)).  hri_impure(once(_)).     hri_impure(ignore(_)).  hri_impure(forall(_, _)).
hri_impure(findall(_, _, _)).     hri_impure(aggregate_all(_, _, _)).  hri_impure(setof(_, _, _)).
hri_impure(bagof(_, _, _)).       hri_impure(memberchk(_, _)).         hri_impure((_ -> _)).
hri_impure((_ *-> _)).  hri_impure(compare(_, _, _)).     hri_impure(call(_)).
hri_impure(exclude(_, _, _)).     hri_impure(include(_, _, _)).  hri_impure(partition(_, _, _, _)).
hri_impure(name(_, _)). hri_impure(sort(_, _)).  hri_impure(msort(_, _)).

hri_bound(Variables) :- ( ground(Variables) -> true ; throw(hri_unguarded) ).
)PROLOG";
    return kClauses;
}

}  // namespace hri::data
