# The commands of CONTRIBUTING.md. All but docs install the packages they need.

.PHONY: demo test bench scale lint docs fuzz sanitize torture siege screenshots build package package-test portable

demo:
	@scripts/bootstrap run
	@swift build --quiet --product martlet
	@"$$(swift build --show-bin-path)/martlet" demo

test:
	@scripts/bootstrap
	@scripts/test

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

screenshots:
	@scripts/bootstrap
	@scripts/screenshots

lint:
	@scripts/bootstrap run
	@scripts/lint

docs:
	@scripts/docs

build:
	@scripts/bootstrap run
	@swift build --configuration release --static-swift-stdlib --product martlet

package:
	@scripts/bootstrap package
	@scripts/package

portable:
	@scripts/bootstrap package
	@scripts/portable

package-test: package
	@scripts/bootstrap package-test
	@scripts/package-test
