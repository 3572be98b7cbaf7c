"""By what rules a comparison becomes a verdict; a campaign and its machine choose them, every page shows them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

# What stands in for a noise floor nobody measured: the relative deviation below which no sample is believed. Repeats of
# the virtual lab, the quietest one here, were seen at 0.008 %.
LEAST_FLOOR = 0.0001

CONFIDENCE = 0.95  # two-sided, of a campaign as a whole
POWER = 0.8  # at which the minimum detectable effect is stated


class Correction(StrEnum):
    """How p-values are corrected over a whole campaign."""

    HOLM = "Holm"  # holds the chance of any false finding
    BENJAMINI_HOCHBERG = "Benjamini-Hochberg"  # holds the share of false ones among the findings
    NONE = "none"


class TTest(StrEnum):
    """The t test behind a verdict."""

    WELCH = "Welch's t"
    POOLED = "Student's t, pooled"  # ministat's


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """The rules of one campaign."""

    threshold: float  # practical threshold, a fraction
    confidence: float  # two-sided, such as 0.95
    correction: Correction
    test: TTest
    looks: int  # how often the campaign may be judged before it ends

    @property
    def alpha(self) -> float:
        """The chance of a false finding that is accepted in one look."""
        return 1.0 - self.confidence

    @property
    def corrections(self) -> str:
        """All corrections by name."""
        return f"{self.correction}; Bonferroni over {self.looks} looks" if self.looks > 1 else str(self.correction)


def usual_rules(threshold: float, looks: int = 1) -> Rules:
    """Welch's t at 95 %, corrected by Holm; the looks share the level in equal parts (Bonferroni).

    That holds for any test and any dependence between looks, and costs power: four looks are judged at 98.75 % each.
    """
    confidence = 1 - (1 - CONFIDENCE) / looks
    return Rules(threshold=threshold, confidence=confidence, correction=Correction.HOLM, test=TTest.WELCH, looks=looks)
