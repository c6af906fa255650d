#!/usr/bin/env bash
# Line coverage of the package with interpreted kernels, and that they give the same answers so; about a quarter of an hour on one core.
# What would take long so, or runs compiled anyway, is left out; `make test` runs it compiled.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

compiled_only=(
    tests/truth/test_ball_gibbs.py
    tests/truth/test_debora_baselines.py
    tests/truth/test_debora_bits.py
    tests/truth/test_debora_bounds.py
    tests/truth/test_debora_elimination.py
    tests/truth/test_debora_plain.py
    tests/truth/test_debora_replicability.py
    tests/truth/test_failed_replicates.py
    tests/truth/test_batched_thompson.py::test_each_checkpoint_has_the_law_of_plain_batched_thompson_sampling
    tests/truth/test_batched_thompson.py::test_regret_and_batches_agree_with_the_reference
    tests/truth/test_batched_thompson.py::test_the_first_pulls_of_two_arms_are_as_computed_by_hand
    tests/truth/test_field_reports.py
    tests/truth/test_field_reports_linear.py::test_09_one_hot_contexts_in_63_dimensions
    tests/truth/test_field_reports_linear.py::test_09_the_inverse_is_right_to_8_digits_by_either_way
    tests/truth/test_field_reports_linear.py::test_09_updates_that_drift_are_what_is_avoided
    tests/truth/test_field_reports_linear.py::test_09_what_precision_cannot_hold_fails_and_is_no_number
    tests/truth/test_field_reports_linear.py::test_10_the_samplers_explore_with_that_variance
    tests/truth/test_linear_bandits.py::test_the_paper_s_settings_are_played_like_the_numpy_loops
    tests/truth/test_linear_bandits.py::test_trajectories_are_those_of_an_independent_computation
    tests/truth/test_linear_bits.py::test_another_processor_does_not_change_a_bit
    tests/truth/test_linear_contexts.py::test_contexts_lie_in_the_unit_ball
    tests/truth/test_linear_contexts.py::test_information_agrees_with_eigenvalues
    tests/truth/test_linear_sweeps.py::test_leaving_out_arms_that_cannot_win_changes_no_decision
    tests/truth/test_lp2s_exact.py::test_long_stages
    tests/truth/test_ratings.py::test_linear_ucb_plays_as_was_measured
    tests/truth/test_ridge.py::test_20000_updates_do_not_drift
    tests/truth/test_soft_baselines.py
    tests/truth/test_soft_bits.py
    tests/truth/test_soft_loops.py
    tests/truth/test_soft_statistics.py
)
export NUMBA_DISABLE_JIT=1
.venv/bin/python -m coverage run -m pytest --quiet "${compiled_only[@]/#/--deselect=}" tests/unit tests/truth tests/contract
.venv/bin/python -m coverage report --fail-under=95
