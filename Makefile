# The commands of CONTRIBUTING.md. All install the packages they need.

.PHONY: demo test verify bench scale lint docs fuzz sanitize torture siege simulate-forever screenshots build package package-test portable

demo:
	@scripts/bootstrap run
	@swift build --quiet $$(scripts/debug-options) --product martlet
	@.build/debug/martlet demo

test:
	@scripts/bootstrap
	@scripts/test

verify:
	@scripts/bootstrap verify
	@scripts/verify

bench:
	@scripts/bootstrap
	@ONLY="$(ONLY)" scripts/bench

scale:
	@scripts/bootstrap
	@scripts/scale

fuzz:
	@scripts/bootstrap
	@scripts/fuzz

sanitize:
	@scripts/bootstrap
	@scripts/sanitize

torture:
	@scripts/bootstrap torture
	@scripts/torture

siege:
	@scripts/bootstrap run
	@scripts/siege

simulate-forever:
	@scripts/bootstrap
	@scripts/simulate

screenshots:
	@scripts/bootstrap
	@scripts/screenshots

lint:
	@scripts/bootstrap run
	@scripts/lint

docs:
	@scripts/bootstrap docs
	@scripts/docs

build:
	@scripts/bootstrap run
	@scripts/release-build martlet

package:
	@scripts/bootstrap package
	@scripts/package

portable:
	@scripts/bootstrap package
	@scripts/portable

package-test: package
	@scripts/bootstrap package-test
	@scripts/package-test
