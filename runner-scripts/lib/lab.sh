# The lab a case's machine stands in, behind one set of verbs. Sourced; expects $scripts and an open case.
#
#   lab_build                the folder of the case's kernel, on standard output
#   lab_provision FOLDER     bring the machine to the case's revision and patch, note the facts
#   lab_trial FOLDER REPEAT  one trial of a repeat, raw output into the folder
#   lab_rest                 the repeat has no more trials; of a lab that keeps something between them
#   lab_profile FOLDER       one profile, raw output into the folder
#   lab_recover              after a failure: true where the step is to be done once more; of a lab that has it
#   lab_examine FIREWALL...  what of the machine is well and what is not, in examine.sh of each lab
#   lab_close                whatever is open goes; called after a failure, by a lab that has it

. "$scripts/lib/rules.sh"

open_lab() {
	lab=$(case_value hardware.lab)
	case $lab in
	qemu) . "$scripts/labs/qemu/lab.sh" ;;
	netns) . "$scripts/labs/netns/lab.sh" ;;
	ssh) . "$scripts/labs/ssh/lab.sh" ;;
	*) refuse "lab '$lab' is not known; mend the hardware entry of the matrix" ;;
	esac
}
