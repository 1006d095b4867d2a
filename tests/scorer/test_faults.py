"""Each fault of the official scorer: its own value under `designqa`, the right one under `robust`."""

from pathlib import Path

import pytest

from dqgen.errors import ScoreError
from dqgen.schemas.question import KINDS, Question
from dqgen.scorer import designqa, robust
from dqgen.scorer.benchmark import read_designqa
from dqgen.scorer.run import run


def ask(kind: str, answer: str | list[str], **values: object) -> Question:
    data = {"id": "q", "kind": kind, "subset": kind, "answer_type": KINDS[kind], "answer": answer, **values}
    return Question.model_validate(data)


def both(question: Question, reply: str) -> tuple[float, float]:
    return designqa.score_item(question, reply).score, robust.score_item(question, reply).score


DIRECT = {"tags": {"dimension_type": "direct"}, "explanation": "It is wide enough."}


def test_a_list_without_blanks_scores_0_officially() -> None:
    question = ask("compilation", ["A.1", "A.2"])
    assert both(question, "A.1,A.2") == (0, 1)
    assert both(question, "A.1, A.2") == (1, 1)
    assert both(question, "A.1, A.2.") == (pytest.approx(0.5), 1)
    assert both(question, "- A.1\n- A.2") == (0, 1)


def test_a_repeated_id_in_the_truth_costs_officially() -> None:
    assert both(ask("compilation", ["A.1", "A.2", "A.1"]), "A.1, A.2") == (pytest.approx(0.8), 1)


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_blank_compilation_row_counts_the_row_before(tmp_path: Path) -> None:
    path = write(
        tmp_path / "c.csv",
        "question,ground_truth,model_prediction\nx,\"['A.1', 'A.2']\",\"A.1, A.2\"\ny,\"['A.1', 'A.2']\",\n",
    )
    asked = read_designqa([("compilation", path)])
    assert run(asked, profile="designqa").report.subsets["compilation"].score == 1
    sound = run(asked).report.subsets["compilation"]
    assert (sound.score, sound.empty) == (0.5, 0.5)


def test_a_blank_first_compilation_row_stops_it(tmp_path: Path) -> None:
    path = write(tmp_path / "c.csv", "question,ground_truth,model_prediction\nx,['A.1'],\n")
    with pytest.raises(ScoreError, match=r"c\.csv, line 2: a blank first row stops the official scorer"):
        run(read_designqa([("compilation", path)]), profile="designqa")


def test_a_blank_retrieval_row_stops_it(tmp_path: Path) -> None:
    path = write(tmp_path / "r.csv", "question,ground_truth,model_prediction\nx,the tube,tube\ny,the wall,\n")
    asked = read_designqa([("retrieval", path)])
    with pytest.raises(ScoreError, match=r"r\.csv, line 3: a blank reply stops the official scorer.*robust"):
        run(asked, profile="designqa")
    assert run(asked).report.subsets["retrieval"].score == 0.5
    found = run(asked, diff=True).report.differences
    assert found is not None
    assert [(one.id, one.designqa, one.robust) for one in found] == [("retrieval-0002", None, 0.0)]


@pytest.mark.parametrize("blank", ["NA", "None", "nan", "null", "N/A"])
def test_words_that_pandas_takes_for_blanks_stop_it(blank: str) -> None:
    question = ask("definition", "seat", synonyms=["seats"])
    assert designqa.score_item(question, blank).stops
    assert not robust.score_item(question, blank).stops


def test_a_lone_truth_in_capitals_scores_0_officially() -> None:
    assert both(ask("definition", "ECU"), "ECU") == (0, 1)
    assert both(ask("definition", "ECU", synonyms=["control unit"]), "ECU") == (1, 1)


def test_no_doubt_reads_as_no_officially() -> None:
    assert both(ask("presence", "yes"), "There is no doubt: yes") == (0, 1)
    assert both(ask("presence", "no"), "There is no doubt: yes") == (1, 0)


def test_a_glued_label_scores_0_officially() -> None:
    question = ask("dimension", "yes", **DIRECT)
    assert both(question, "Explanation: It is wide enough. Answer:yes") == (0, 1)
    assert both(question, "Explanation: It is wide enough. Answer: yes") == (1, 1)
    assert both(question, "**Explanation:** It is wide enough. **Answer:** **Yes**") == (1, 1)
    assert both(question, '{"explanation": "It is wide enough.", "answer": "yes"}') == (0, 1)
    assert both(question, "The answer is \\boxed{yes}") == (0, 1)
    assert both(question, "Answer: I would say that yes") == (0, 1)


def test_an_explanation_after_the_answer_is_lost_officially() -> None:
    question = ask("dimension", "yes", **DIRECT)
    reply = "Answer: Yes\nExplanation: It is wide enough."
    official, sound = designqa.score_item(question, reply), robust.score_item(question, reply)
    assert (official.bleu2, official.rouge_l) == (0, 0)
    assert (sound.bleu2, sound.rouge_l) == (1, 1)


def test_missing_subsets_still_divide_by_six(tmp_path: Path) -> None:
    path = write(tmp_path / "p.csv", "question,ground_truth,mentions,model_prediction\nx,yes,definition,Yes\n")
    asked = read_designqa([("presence", path)])
    official, sound = run(asked, profile="designqa").report.overall, run(asked).report.overall
    assert official.score == pytest.approx(1 / 6)
    assert sound.score == 1
    assert sound.absent == ["retrieval", "compilation", "definition", "dimension", "functional"]
    assert "1 of 6" in sound.note


def test_numbers_alone_stop_it(tmp_path: Path) -> None:
    path = write(tmp_path / "r.csv", "question,ground_truth,model_prediction\nx,25,25\ny,30,30.5\n")
    asked = read_designqa([("retrieval", path)])
    with pytest.raises(ScoreError, match="all numbers stop the official scorer"):
        run(asked, profile="designqa")
    assert run(asked).report.subsets["retrieval"].score == 0.5


def test_dimension_rows_without_a_direct_one_stop_it(tmp_path: Path) -> None:
    path = write(
        tmp_path / "d.csv",
        "question,ground_truth,dimension_type,explanation,model_prediction\nx,yes,scale,,Answer: yes\n",
    )
    with pytest.raises(ScoreError, match="StatisticsError"):
        run(read_designqa([("dimension", path)]), profile="designqa")
    assert run(read_designqa([("dimension", path)])).report.subsets["dimension"].score == 1


def test_full_stops_alone_as_explanation_stop_it() -> None:
    question = ask("functional", "yes", explanation="It holds.")
    assert designqa.score_item(question, "Explanation: . Answer: yes").stops
    assert robust.score_item(question, "Explanation: . Answer: yes").score == 1


def test_decimal_points_and_typographic_signs() -> None:
    assert both(ask("retrieval", "25.4"), "254") == (1, 0)
    assert both(ask("retrieval", "driver's"), "driver’s") == (0, 1)


def test_refusals_earn_nothing() -> None:
    question = ask("definition", "master cylinders", synonyms=["cylinders"])
    official, sound = both(question, "I'm sorry, but I can't assist with that.")
    assert official > 0
    assert sound == 0
    assert robust.score_item(question, "I'm sorry, but I can't assist with that.").status == "refused"
