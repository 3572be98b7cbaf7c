"""Six call graphs that pmcstat wrote on a lab's router, folded to the octet as FlameGraph's scripts fold them."""

from __future__ import annotations

import hashlib

import pytest

from fwdlab.profiles.formats import fold
from tests.unit.structure.tree import ROOT

ARCHIVE = ROOT.parent / "shared/archive"
FOLDED = {  # stacks, samples, and the hash of what stackcollapse-pmc.pl and stackcollapse-sum.pl made of the graph
    "317849.forwarding": (270, 18296, "936962caeaed869a3e528570c429af3a6d272d4de39ebf7bce1e59571c1acef6"),
    "317849.ipfw-statefu*": (283, 17405, "2346ef1caadf8dbc6bad4277986880b31c8468ae4178d7386661ddbb47ba95ea"),
    "317849.pf-statefu*": (493, 16945, "f07394d15c1cb59e3065ecfcc8269529d9756226f61a0a60ad2de1606fa03868"),
    "317849VIMAGE.forwarding": (269, 18402, "20c3d1a7342857e1c73295eee234457e4cd373116cee6df6a2c12f694dc31044"),
    "317849VIMAGE.ipfw-statefu*": (305, 17410, "f95ce643c0326e476e8187fba0f8207b33fc3796dcd6ce8b9446c1e4f8c2c190"),
    "317849VIMAGE.pf-statefu*": (353, 16950, "8e89a874c1169adb69d28279ae5e7b9522c84f10fc6c458785cf93f51a81ac92"),
}


@pytest.mark.shared
@pytest.mark.skipif(not ARCHIVE.exists(), reason="needs the archived call graphs of the shared folder")
@pytest.mark.parametrize("case", FOLDED)
def test_an_archived_call_graph_folds_as_the_scripts_fold_it(case: str) -> None:
    (graph,) = ARCHIVE.glob(f"**/bench.{case}.1.pmc.graph")
    profile = fold(graph.read_text(encoding="utf-8"), graph.name)
    digest = hashlib.sha256(profile.text.encode()).hexdigest()
    assert (len(profile.stacks), profile.total, digest) == FOLDED[case]
    assert profile.event == "CPU_CLK_UNHALTED_CORE"
    assert ["stands still" in caveat for caveat in profile.caveats] == [True]
    assert 0 < profile.idle_share < 0.002
