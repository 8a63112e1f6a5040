# SPDX-License-Identifier: Apache-2.0
# `make help` lists the targets.

# The packages that Cairn links, that build it, and that its tests compare it with.
LIBRARIES := zlib1g-dev libdeflate-dev liblz4-dev libzstd-dev libsqlite3-dev libexpat1-dev \
  libyaml-dev nettle-dev libcurl4-openssl-dev libturbojpeg0-dev libmicrohttpd-dev libjs-leaflet
BUILD_TOOLS := pkg-config
# What the Swift toolchain itself needs, by swift.org's list for Debian 12.
SWIFT_NEEDS := binutils git libc6-dev libcurl4 libedit2 libgcc-12-dev libncurses6 \
  libsqlite3-0 libstdc++-12-dev libxml2 libz3-4 tzdata
TEST_TOOLS := osmium-tool sqlite3 python3 python3-jsonschema gcc gdal-bin libxml2-utils strace \
  curl
# A browser that opens reports, what drives it, and the map library inside them.
REPORT_TOOLS := chromium chromium-driver python3-selenium fonts-dejavu-core \
  python3-jsonschema
# A cluster of one node; it runs without munge although the package depends on it.
SLURM := slurm-wlm python3 hostname
# What makes and checks the packages, and what tries them in a bare root.
PACKAGE_TOOLS := dpkg-dev patchelf lintian
INSTALL_TOOLS := debootstrap
# Without dpkg, a package is there if pkg-config knows its library or PATH has its program.
BRINGS := zlib1g-dev:zlib libdeflate-dev:libdeflate liblz4-dev:liblz4 libzstd-dev:libzstd \
  libsqlite3-dev:sqlite3 libexpat1-dev:expat libyaml-dev:yaml-0.1 nettle-dev:nettle \
  libcurl4-openssl-dev:libcurl libturbojpeg0-dev:libturbojpeg \
  libmicrohttpd-dev:libmicrohttpd pkg-config:pkg-config \
  osmium-tool:osmium sqlite3:sqlite3 python3:python3 gcc:gcc gdal-bin:ogr2ogr \
  libxml2-utils:xmllint strace:strace curl:curl chromium:chromium chromium-driver:chromedriver slurm-wlm:slurmctld \
  dpkg-dev:dpkg-deb patchelf:patchelf lintian:lintian debootstrap:debootstrap valgrind:valgrind

# A warning is an error where CI is set.
STRICT := $(if $(CI),-Xswiftc -warnings-as-errors)
# One build for everything: Package.swift says what is compiled to be fast, the rest is compiled fast.
# Each module is compiled as a whole and read once for that, without debug information, which takes a
# twelfth of the time; symbols are enough for callgrind and perf. DEBUG=1 adds it. Generic types are
# made by functions that the compiler knows: looked up by name, each takes a search of all
# conformances, in a run on a small region 7 % of the time.
# .build/debug is left to whoever changes things.
WHOLE := $(if $(DEBUG),,-debug-info-format none) $(STRICT) -Xswiftc -no-emit-module-separately-wmo
BUILD_FLAGS := -c release $(WHOLE) -Xswiftc -enable-testing \
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
BUILD := CAIRN_OPTIMISED=hot swift build $(BUILD_FLAGS)
BIN := .build/release
# What is built of Sources: no benchmarks, nothing for fuzzing and tests.
PROGRAMS := $(notdir $(wildcard Sources/Tools/*))
TESTS = $(shell grep -ohE '"\w+Tests"' Package.swift | tr -d '"')
# Every executable draws the same warnings about functions that none calls: of Foundation's, Swift's
# and SQLite's, one dangerous, and some that need shared libraries. Of -wmo in a debug build the
# compiler says for each module that it heeds it.
HEEDS := grep --line-buffered -vE "the use of .mktemp. is dangerous|warning: Using .(dlopen|get(pw|gr)\w+). in statically linked|ignoring '-enable-batch-mode'|Incremental compilation has been disabled"
# Where make install puts things: below DESTDIR, as they will stand below PREFIX.
PREFIX ?= /usr/local
DESTDIR ?=
PACKAGING := CAIRN_BIN=$(BIN) pipelines/packaging
MANIFEST ?= pipelines/sample.yaml
# From the bus stop in Unterarven via the Krähenhütte to the Krähenjoch.
DEMO_HIKE := --from 47.02484,10.04752 --via 47.05076,10.080916 --to 47.0603,10.099
DATABASES ?= $(wildcard build/*/*/*.routing.db build/*/*/*.waypoints.db build/*/*/*.places.db build/*/*/*.trails.*tiles)

SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup setup-tests build install uninstall dist deb demo test test-report test-docs docs pictures \
  test-slurm test-install examples faults updates fuzz bench bench-compare gates lint format bundles bundle \
  region-given nightly nightly-checks validate workflows clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

# $(call install,PACKAGES): installs those that are missing, or says how to. Without dpkg and apt it
# says what is missing and goes on.
define install
	@missing=; \
	if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then \
	  known=" $(BRINGS) "; for package in $(1); do \
	    brought=$${known#* $$package:}; [ "$$brought" != "$$known" ] || continue; \
	    brought=$${brought%% *}; case $$package in \
	      *-dev) pkg-config --exists $$brought 2>/dev/null ;; \
	      *) command -v $$brought >/dev/null ;; \
	    esac || missing="$$missing $$brought"; \
	  done; \
	  [ -z "$$missing" ] || echo "There is no dpkg to install packages with, and this is missing:$$missing" >&2; \
	  exit 0; \
	fi; \
	for package in $(1); do \
	  dpkg-query -W -f '$${db:Status-Status}' $$package 2>/dev/null | grep -qx installed \
	    || missing="$$missing $$package"; \
	done; \
	[ -z "$$missing" ] && exit 0; \
	if [ "$$(id -u)" = 0 ]; then run=; elif sudo -n true 2>/dev/null; then run=sudo; \
	else echo "Missing packages. Install them with:" >&2; \
	  echo "  sudo apt-get update && sudo apt-get install -y$$missing" >&2; exit 1; fi; \
	echo "installing$$missing"; \
	$$run apt-get update -qq -o DPkg::Lock::Timeout=600 && DEBIAN_FRONTEND=noninteractive \
	  $$run apt-get install -y -qq -o DPkg::Lock::Timeout=600 --no-install-recommends $$missing >/dev/null
endef

setup: ## install the libraries that are missing (Debian), check for Swift 6
	@command -v swift >/dev/null || { \
	  echo "Swift is not in PATH. Install Swift 6 from https://www.swift.org/install/linux/" >&2; \
	  exit 1; }
	$(call install,$(LIBRARIES) $(BUILD_TOOLS) $(SWIFT_NEEDS))
	@swift --version 2>/dev/null | grep -qE 'Swift version ([6-9]|[1-9][0-9])\.' || { \
	  echo "Cairn needs Swift 6 or later; this is:" >&2; swift --version >&2; exit 1; }

setup-tests: setup
	$(call install,$(TEST_TOOLS))

build: setup ## build the executables into .build/release
	CAIRN_TARGETS="$(PROGRAMS)" $(BUILD) 2>&1 | $(HEEDS)
	@for stage in $$($(BIN)/cairn-stages --list); do ln -sfn cairn-stages $(BIN)/$$stage || exit; done

# Builds nothing, so that root need not: make build && sudo make install.
install: ## install what make build built (PREFIX=/usr/local, DESTDIR=)
	@$(PACKAGING)/install "$(PREFIX)" "$(DESTDIR)"

uninstall: ## remove what make install installed (PREFIX=/usr/local, DESTDIR=)
	@$(PACKAGING)/uninstall "$(PREFIX)" "$(DESTDIR)"

dist: build ## make build/dist/cairn-VERSION-linux-ARCH.tar.gz, which needs no Swift and no packages
	$(call install,$(PACKAGE_TOOLS))
	@$(PACKAGING)/dist

deb: build ## make a package for Debian in build/dist, checked by lintian
	$(call install,$(PACKAGE_TOOLS))
	@$(PACKAGING)/deb
	lintian --tag-display-limit 0 --fail-on error,warning build/dist/cairn_*.deb

demo: build ## build the two sample regions, validate them, print and draw a hike, compare profiles
	$(BIN)/cairn run pipelines/sample.yaml
	@echo
	$(BIN)/cairn validate --input build/sample/valley-west/valley-west.routing.db -q
	@echo
	$(BIN)/cairn validate --input build/sample/valley-east/valley-east.routing.db -q
	@echo
	$(BIN)/cairn validate --input build/sample/valley-west/valley-west.waypoints.db -q
	@echo
	$(BIN)/cairn route build/sample/valley-west/valley-west.routing.db $(DEMO_HIKE)
	@echo
	$(BIN)/cairn elevation-profile build/sample/valley-west/valley-west.routing.db $(DEMO_HIKE) \
	  --title "Unterarven – Krähenjoch" --output build/hike.svg
	@echo
	$(BIN)/cairn compare --suite pipelines/tuning/sample.yaml --base hiking \
	  --candidate mountain-hiking
	$(BIN)/cairn compare --suite pipelines/tuning/sample.yaml --base hiking \
	  --candidate mountain-hiking --format json --output build/sample-comparison.json
	$(BIN)/cairn report pipelines/sample.yaml --output build/sample-report.html
	$(BIN)/cairn report build/sample-comparison.json --elevation sample-data/hgt \
	  --output build/sample-comparison.html

# A sanitizer needs a build of its own, and the executables of it; leaks are not looked for, since
# a process that ends need not free. Tests/Sanitizers says what the thread sanitizer leaves out. In
# optimised code it takes memory that was freed and used again for a race; without optimisation real
# data (sharedData in Tests/AppSupport) and executables take more than an hour: of the latter it tests
# the whole sample and comparisons.
# CAIRN_SANITIZER skips the tests that such executables are too slow for, or that limit files.
# MODULE tests what was changed with the debug build, which compiles again only what the change
# reaches.
test: setup-tests ## run all tests, those of MODULE=NAME, or SANITIZE=thread or address
ifdef SANITIZE
	$(if $(filter address,$(SANITIZE)),CAIRN_OPTIMISED=hot) swift build --build-tests \
	  --sanitize=$(SANITIZE) --scratch-path .build/$(SANITIZE) $(STRICT)
	TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/Sanitizers/thread.supp \
	  ASAN_OPTIONS=detect_leaks=0 CAIRN_SANITIZER=$(SANITIZE) Tests/run.py .build/$(SANITIZE)/debug \
	  $(if $(filter thread,$(SANITIZE)),'EndToEndTests\.(?!SampleTests|CompareTests)')
else ifdef MODULE
	@modules=$$(find Tests -path '*Tests/*.swift' | sed -nE 's|.*/(\w+)Tests/.*|\1|p' | sort -u); \
	grep -qx '$(MODULE)' <<<"$$modules" || \
	  { echo "no module $(MODULE) has tests; these have:" $$modules >&2; exit 64; }
	CAIRN_TARGETS="$(MODULE)Tests $(if $(filter EndToEnd,$(MODULE)),$(PROGRAMS))" \
	  swift build --build-tests $(STRICT)
	Tests/run.py .build/debug
else
	CAIRN_TARGETS="$(PROGRAMS) $(TESTS)" $(BUILD) --build-tests 2>&1 | $(HEEDS)
	Tests/run.py $(BIN)
endif

# Pictures of the pages are in build/report-shots; look at them after a change of their design.
test-report: build ## open reports and the viewer in a headless browser and use them
	$(call install,$(REPORT_TOOLS))
	$(BIN)/cairn run -q pipelines/sample.yaml
	$(BIN)/cairn compare --suite pipelines/tuning/sample.yaml --base hiking \
	  --candidate mountain-hiking --format json --output build/sample-comparison.json
	/usr/bin/python3 Tests/ReportPages/report_pages.py --bin $(BIN) --shots build/report-shots \
	  --run pipelines/sample.yaml --comparison build/sample-comparison.json \
	  --elevation sample-data/hgt $(REPORT_TESTS)
	/usr/bin/python3 Tests/ReportPages/viewer.py --bin $(BIN) --shots build/report-shots \
	  --search Krähenjoch build/sample
	python3 Tests/ReportPages/viewer_load.py --bin $(BIN) build/sample

# Every command that a guide shows is run, and what it prints compared with what the guide shows.
test-docs: build ## run the commands of README and guides, and the examples of all help texts
	python3 Tests/Docs/run_commands.py --bin $(BIN)
	python3 Tests/Docs/run_examples.py --bin $(BIN)

docs: setup ## make the reference of the libraries for a browser in build/docs
	CAIRN_TARGETS="Routing Guidance Tracks Waypoints Transfer" $(BUILD)
	Tests/Docs/reference.sh $(BIN) build/docs

pictures: build ## draw the pictures of the documents into docs/images; look at them
	$(call install,$(REPORT_TOOLS))
	$(BIN)/cairn run -q pipelines/sample.yaml
	$(BIN)/cairn compare --suite pipelines/tuning/sample.yaml --base hiking \
	  --candidate mountain-hiking --format json --output build/sample-comparison.json
	$(BIN)/cairn report build/sample-comparison.json --elevation sample-data/hgt \
	  --output build/sample-comparison.html
	/usr/bin/python3 Tests/Docs/pictures.py --bin $(BIN) --page build/sample-comparison.html

# Fails without the rights to start a cluster; CAIRN_NO_SLURM=1 skips it.
test-slurm: build ## run stages as jobs of Slurm clusters of one and two nodes on this machine (root)
ifdef CAIRN_NO_SLURM
	@echo "test-slurm: skipped because CAIRN_NO_SLURM is set" >&2
else
	$(call install,$(SLURM))
	Tests/SlurmTests/with-cluster python3 Tests/SlurmTests/test_slurm.py --bin $(BIN) $(SLURM_TESTS)
	[ -n "$(SLURM_TESTS)" ] || Tests/SlurmTests/with-cluster --nodes 2 \
	  python3 Tests/SlurmTests/test_slurm.py --bin $(BIN)
endif

# Says why it cannot, and fails, without root or a mirror of Debian; build/bare-root keeps the root.
test-install: dist deb ## install the tarball and the package into bare Debian roots, use and remove them (root)
	$(call install,$(INSTALL_TOOLS))
	Tests/InstallTests/bare-roots build/dist

# Routes in Swift and Python print the same totals and line; the Swift one also prints instructions.
# The journey leads from the western region into the eastern one.
EXAMPLE := build/sample/valley-west/valley-west.routing.db 47.02484,10.04752 47.0603,10.099
JOURNEY := build/sample/valley-west build/sample/valley-east 47.02484 10.04752 Hinterarven
examples: build ## build Examples, run them on the sample, check what they print
	$(BIN)/cairn run -q pipelines/sample.yaml
	swift build --package-path Examples/swift --scratch-path .build/examples $(WHOLE) \
	  -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2 2>&1 | $(HEEDS)
	.build/examples/debug/route $(EXAMPLE) >build/example-swift.txt
	python3 Examples/python/route.py $(EXAMPLE) >build/example-python.txt
	python3 Examples/python/graph.py $(EXAMPLE) | diff - build/example-python.txt
	head -n 5 build/example-swift.txt | diff - build/example-python.txt
	sed 's/^output:.*/&\ndeltas: { keep: 3 }/' pipelines/sample.yaml >pipelines/journey.yaml
	PATH="$$PWD/$(BIN):$$PATH" Examples/updates/journey.sh pipelines/journey.yaml valley-west build/journey; \
	  code=$$?; rm pipelines/journey.yaml; exit $$code
	@grep -v LineString build/example-swift.txt
	.build/examples/debug/journey $(JOURNEY) | diff Examples/swift/journey.txt -

# The number of faults, and the seed of their random numbers.
COUNT ?= 300
SEED ?= 1
# Whether commands are ended at each step, too; empty if not.
STOPS ?= yes
faults: build setup-tests ## disturb COUNT=300 runs, or with FAULTS=--sweep fail every nth call (some need root)
	python3 Tests/FaultTests/faults.py --bin $(BIN) --count $(COUNT) --seed $(SEED) $(FAULTS)
	$(if $(STOPS),python3 Tests/FaultTests/faults.py --bin $(BIN) --stops)

# What is edited night by night, and other options of the harness.
EXTRACT ?= sample-data/valley.osm.pbf
updates: build setup-tests ## publish ten nights of edits of EXTRACT, update from them, be killed (UPDATES=options)
	python3 Tests/UpdateTests/updates.py --bin $(BIN) --pbf $(EXTRACT) $(UPDATES)

# How many seconds each fuzz target runs.
SECONDS ?= 60
fuzz: build setup-tests ## feed broken input to every reader, or FUZZ=TARGET, for SECONDS=60 each
	Tests/Fuzz/fuzz.sh $(SECONDS) $(BIN) $(FUZZ)

# What takes too long for .ci/run. A part that fails does not keep the others from running.
nightly-checks: ## fuzz, both sanitizers and test-install, with a table of their times (root)
	@table=; failed=; \
	for part in fuzz "test SANITIZE=thread" "test SANITIZE=address" test-install; do \
	  start=$$(date +%s); \
	  if $(MAKE) $$part; then result=passed; else result=FAILED; failed=yes; fi; \
	  took=$$(($$(date +%s) - start)); \
	  table+=$$(printf '%-21s  %-6s  %4d:%02d' "$$part" $$result $$((took / 60)) $$((took % 60)))$$'\n'; \
	done; \
	printf '\n%-21s  %-6s  %7s\n%s' part result "min:s" "$$table"; \
	[ -z "$$failed" ]

bench: build setup-tests ## compare with other tools; needs real data (Tests/AppSupport/Paths.swift)
	$(call install,valgrind)
	python3 Tests/Benchmarks/bench.py --bin $(BIN) $(BENCH)
	python3 Tests/Benchmarks/history.py --bin $(BIN) --results .build/bench/results.json

bench-compare: build setup-tests ## compare with BASE=results.json of an earlier bench, or a folder of executables
	@[ -n "$(BASE)" ] || { echo "with what? make bench-compare BASE=FILE.json" >&2; exit 64; }
	python3 Tests/Benchmarks/bench.py --bin $(BIN) --compare $(BASE) $(BENCH)

# Counts, never times: they are the same on a busy machine.
gates: build ## fail where a stage takes more instructions, allocations or bytes than it did
	$(call install,python3 valgrind)
	python3 Tests/Benchmarks/gates.py --bin $(BIN)

lint: setup ## check formatting, style, layers, file names and links in documents
	$(call install,python3)
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples
	python3 Tests/Lint/lint.py

# Lines of .github/workflows, so that they are not mere text; an hour for all of them.
WORKFLOW ?= checks
workflows: ## run the Linux jobs of .github/workflows/WORKFLOW=checks here, or JOB=NAME (root)
	$(call install,python3 python3-yaml)
	/usr/bin/python3 Tests/Workflows/run_workflow.py $(WORKFLOW) $(JOB)

format: ## format all sources in place
	swift format --in-place --recursive --parallel Package.swift Sources Tests Examples

# A run rebuilds only what changed; MORE=--force rebuilds everything.
bundles: build ## build all changed regions of MANIFEST=FILE (MORE="OPTIONS of run")
	$(BIN)/cairn run $(MORE) $(MANIFEST)

bundle: region-given build ## the same for one region, REGION=ID, or several, REGION=ID,ID
	$(BIN)/cairn run --regions $(REGION) $(MORE) $(MANIFEST)

region-given:
	@[ -n "$(REGION)" ] || { echo "which one? make bundle REGION=ID" >&2; exit 64; }

nightly: ## the nightly run: no build, low priority, clean up (pipelines/nightly/README.md)
	MANIFEST="$(MANIFEST)" CAIRN_BIN="$(BIN)" pipelines/nightly/run $(MORE)

validate: build ## validate DATABASES="FILE…" (default: all below build/)
	@[ -n "$(DATABASES)" ] || { echo "no database below build/; run make demo first" >&2; exit 1; }
	@for database in $(DATABASES); do $(BIN)/cairn validate --input $$database || exit 1; done

clean: ## remove all build products
	rm -rf .build build Tests/Fuzz/.build
