#!/bin/sh
# A pipeline on a real stack: each step runs scan-audit as a team would, and checks what a runner sees of it, the exit
# code and what is written. It goes on after a step that is not as expected, and exits with 1 at the end.
#
#   NODE, SCAN_AUDIT           how to run the program
#   SCAN_AUDIT_API             where the API is
#   KEY, KEY_WITHOUT_CREDIT    of two organisations
#   PATCHED, VULNERABLE        two sites that may be scanned
#   SILENT, STALLING           URLs of their host where nothing listens, and where nothing is answered
#   NOWHERE                    an address of an API where nothing listens
# Writes its files into the folder that it is started in.
set -u
wrong=0
steps=0
key=$KEY

scan_audit() {
  SCAN_AUDIT_KEY=$key "$NODE" "$SCAN_AUDIT" "$@" >out.txt 2>err.txt
}

# checked NAME CODE EXPECTED FILE PATTERN: CODE is what was EXPECTED, and the FILE has a line that matches the PATTERN.
checked() {
  steps=$((steps + 1))
  if [ "$2" -eq "$3" ] && grep -Eq -- "$5" "$4"; then
    echo "ok   $1"
    return
  fi
  wrong=$((wrong + 1))
  echo "FAIL $1: exit code $2 and not $3, or nothing in $4 like: $5"
  sed 's/^/     out: /' out.txt
  sed 's/^/     err: /' err.txt
}

# verdict NAME EXPECTED PATTERN ARGUMENT...: the first line of standard output says it.
verdict() {
  name=$1 expected=$2 pattern=$3
  shift 3
  scan_audit "$@"
  code=$?
  head -n 1 out.txt >first.txt
  checked "$name" "$code" "$expected" first.txt "$pattern"
}

# trouble NAME PATTERN ARGUMENT...: exit code 1, and one line says what is wrong: the last, with nothing on standard output.
trouble() {
  name=$1 pattern=$2
  shift 2
  scan_audit "$@"
  code=$?
  if [ -s out.txt ] || [ "$(grep -c '^error: ' err.txt)" -ne 1 ]; then code=99; fi
  tail -n 1 err.txt >last.txt
  checked "$name" "$code" 1 last.txt "^error: .*$pattern"
}

# The id of the scan that the last step started.
started() {
  sed -n 's/^Started a .* scan of .*: //p' err.txt
}

unknown=01890000-0000-7000-8000-000000000000

trouble 'no command that is known' 'Did you mean gate' gaet
trouble 'an option that is not there' "unknown option '--fast'" gate "$PATCHED" --fast
trouble 'neither a URL nor a scan' 'one of the two' gate
trouble 'a threshold that is mistyped' 'Allowed choices are critical' gate "$PATCHED" --threshold hgih
trouble 'a file that cannot be written' 'cannot be written' gate "$PATCHED" --json missing/scan.json
key=
trouble 'no key' 'set SCAN_AUDIT_KEY' gate "$PATCHED"
key=sa_wrong
trouble 'a bad key' 'refused \(401\)' gate "$PATCHED"
key=$KEY_WITHOUT_CREDIT
trouble 'no credit' 'No scan credit is left \(402\)' gate "$PATCHED"
key=$KEY
trouble 'an address where nothing answers' 'Nothing answers at http' gate "$PATCHED" --api "$NOWHERE"
trouble 'a scan that is not there' 'no such scan' gate --run $unknown
trouble 'a baseline that is not there' 'no such scan .*--baseline' gate "$PATCHED" --baseline $unknown
trouble 'a site of somebody else' 'not verified for your organisation \(403\)' gate https://other.example/

trouble 'a scan that takes longer than the pipeline waits' 'The time is up .*--timeout' gate "$STALLING" --timeout 6
late=$(started)
verdict 'that scan can be canceled' 0 "^(Canceled scan $late|Scan $late of .* is being canceled)" scans cancel "$late"
scan_audit scans watch "$late"
verdict 'a canceled scan has no verdict' 1 '^INCONCLUSIVE  The scan was canceled' gate --run "$late"
verdict 'nor has one of a site that does not answer' 1 '^INCONCLUSIVE  The scan failed' gate "$SILENT"

verdict 'the repaired site passes' 0 '^PASS  No verified finding is high or worse' \
  gate "$PATCHED" --sarif passed.sarif --junit passed.xml --json passed.json --html passed.html
patched=$(started)
verdict 'the vulnerable site fails' 2 '^FAIL  [0-9]+ verified findings are high or worse' \
  gate "$VULNERABLE" --sarif failed.sarif --junit failed.xml --json failed.json --html failed.html
vulnerable=$(started)
verdict 'and passes where nothing blocks' 0 '^PASS' gate --run "$vulnerable" --threshold none
verdict 'everything is new to who was repaired before' 2 '^FAIL  [0-9]+ new verified findings' gate --run "$vulnerable" --scope new
verdict 'nothing is new after the vulnerable one' 0 '^PASS  No new verified finding' gate --run "$patched" --baseline "$vulnerable" --threshold info

echo "$steps steps, $wrong wrong"
[ "$wrong" -eq 0 ]
