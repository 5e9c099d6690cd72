import PushPayload

/// The config plugin with which Expo adds the extension each time it generates the Xcode project.
///
/// Source: Expo's documentation of config plugins and of app extensions in EAS Build, and the parser
/// `xcode`, whose tree `withXcodeProject` passes.
extension ExtensionProject {
  var expoSection: String {
    let groups: JSONValue = ["com.apple.security.application-groups": [.string(appGroup)]]
    let declared: JSONValue = [
      "targetName": .string(target), "bundleIdentifier": .string(extensionID),
      "entitlements": groups,
    ]
    return """
      1. Keep this folder beside `app.json`. Add to `expo` in `app.json`, to what its lists have already:

         ```json
         "plugins": [\(JSONValue.string("./\(folder)/\(kind.plugin)").line)],
         "ios": {
           "entitlements": {
             "aps-environment": "development",
             "com.apple.security.application-groups": [\(JSONValue.string(appGroup).line)]
           }
         },
         "extra": {
           "eas": { "build": { "experimental": { "ios": { "appExtensions": [
             \(declared.line)
           ] } } } }
         }
         ```

         EAS Build makes the extension's credentials from the last of them.
      2. The app's iOS deployment target must be 16.0 or later:

         ```json
         ["expo-build-properties", { "ios": { "deploymentTarget": "16.0" } }]
         ```

         among the plugins, after `npx expo install expo-build-properties`.
      3. Set `PACKAGE` in `\(kind.plugin)` to the place of Martlet. EAS Build does not see a folder outside of the app's.
      4. Run `npx expo prebuild --platform ios`. Each prebuild adds the target; `ios` needs no changes by hand.
      """
  }

  /// The products that identify a project's reference to Martlet's package.
  private static let products = MartletPackage.products.map(JSONValue.string)

  var expoPluginSource: String {
    let requirement = MartletPackage.Requirement.current.member
    let place: JSONValue =
      switch packageFromApp {
      case .path(let path): ["path": .string(path)]
      case .url(let url): ["url": .string(url), requirement.name: .string(requirement.value)]
      }
    return """
      // Adds the notification \(kind.noun) to the Xcode project that `expo prebuild` makes.
      // In app.json: "plugins": ["./<this folder>/\(kind.plugin)"]
      const { withDangerousMod, withXcodeProject } = require("expo/config-plugins");
      const fs = require("fs");
      const path = require("path");

      const TARGET = "\(target)";
      const PRODUCT = "\(kind.product)";
      const FILES = ["\(kind.source)", "Info.plist", "\(kind.entitlements)"];
      // The path of Martlet's repository from the app's folder, or its url, and branch or from.
      const PACKAGE = \(place.line);

      module.exports = (config) => withTarget(withFiles(config));

      function withFiles(config) {
        return withDangerousMod(config, [
          "ios",
          (config) => {
            const folder = path.join(config.modRequest.platformProjectRoot, TARGET);
            fs.mkdirSync(folder, { recursive: true });
            for (const file of FILES) {
              fs.copyFileSync(path.join(__dirname, file), path.join(folder, file));
            }
            return config;
          },
        ]);
      }

      function withTarget(config) {
        return withXcodeProject(config, (config) => {
          addTarget(config.modResults, config);
          return config;
        });
      }

      const quoted = (text) => `"${String(text).replace(/[\\\\"]/g, "\\\\$&")}"`;
      const fromIOS = (place) => (path.isAbsolute(place) ? place : path.posix.join("..", place));
      const bare = (text) => String(text).replace(/^"(.*)"$/, "$1");

      // Whether a phase copies to PlugIns, and not "only when installing", with which builds from Xcode lack the extension.
      const embedsInEveryBuild = (copy) =>
        (copy.dstSubfolder === undefined
          ? Number(copy.dstSubfolderSpec) === 13
          : bare(copy.dstSubfolder) === "PlugIns")
        && bare(copy.dstPath ?? "") === ""
        && Number(copy.buildActionMask ?? 2147483647) === 2147483647
        && Number(copy.runOnlyForDeploymentPostprocessing ?? 0) === 0;

      function addTarget(project, config) {
        const objects = project.hash.project.objects;
        const section = (isa) => objects[isa] || {};
        const find = (isa, test) =>
          Object.entries(section(isa)).find(([, object]) => object.isa && test(object));
        const add = (isa, comment, members) => {
          const id = project.generateUuid();
          objects[isa] = objects[isa] || {};
          objects[isa][id] = { isa, ...members };
          objects[isa][id + "_comment"] = comment;
          return { value: id, comment };
        };
        const [, root] = find("PBXProject", () => true);
        const [, app] = find(
          "PBXNativeTarget",
          (target) => bare(target.productType) === "com.apple.product-type.application");
        const rootID = Object.keys(section("PBXProject")).find((id) => section("PBXProject")[id] === root);
        const configurations = (owner) =>
          section("XCConfigurationList")[owner.buildConfigurationList].buildConfigurations.map(
            ({ value }) => section("XCBuildConfiguration")[value]);
        const bundleID = `${config.ios?.bundleIdentifier}.${TARGET}`;
        const known = find("PBXNativeTarget", (target) => bare(target.name) === TARGET);
        if (known) {
          const ids = configurations(known[1]).map(
            ({ buildSettings }) => bare(buildSettings.PRODUCT_BUNDLE_IDENTIFIER));
          const other = ids.find((id) => id !== bundleID);
          if (other === undefined) return;
          throw new Error(
            `${TARGET} has the bundle id ${other}, and app.json asks for ${bundleID}: run npx expo prebuild --clean`);
        }

        // The product, the files and their group.
        const product = add("PBXFileReference", `${TARGET}.appex`, {
          explicitFileType: quoted("wrapper.app-extension"),
          includeInIndex: 0,
          path: `${TARGET}.appex`,
          sourceTree: "BUILT_PRODUCTS_DIR",
        });
        section("PBXGroup")[root.productRefGroup].children.push(product);
        const types = ["sourcecode.swift", "text.plist.xml", "text.plist.entitlements"];
        const files = FILES.map((file, index) =>
          add("PBXFileReference", file, {
            lastKnownFileType: types[index],
            path: file,
            sourceTree: quoted("<group>"),
          }));
        const group = add("PBXGroup", TARGET, {
          children: files,
          path: TARGET,
          sourceTree: "SOURCE_ROOT",
        });
        section("PBXGroup")[root.mainGroup].children.push(group);

        // The package, which another extension may have added, and its product.
        const used = find(
          "XCSwiftPackageProductDependency",
          (other) => other.package
            && \(JSONValue.array(Self.products).line)
            .includes(bare(other.productName)));
        const isa = PACKAGE.url ? "XCRemoteSwiftPackageReference" : "XCLocalSwiftPackageReference";
        const reference = used
          ? { value: used[1].package, comment: used[1].package_comment }
          : add(
              isa,
              `${isa} "martlet"`,
              PACKAGE.url
                ? {
                    repositoryURL: quoted(PACKAGE.url),
                    requirement: PACKAGE.branch
                      ? { kind: "branch", branch: PACKAGE.branch }
                      : { kind: "upToNextMajorVersion", minimumVersion: PACKAGE.from },
                  }
                : { relativePath: quoted(fromIOS(PACKAGE.path)) });
        if (!used) (root.packageReferences = root.packageReferences || []).push(reference);
        const dependency = add("XCSwiftPackageProductDependency", PRODUCT, {
          package: reference.value,
          package_comment: reference.comment,
          productName: PRODUCT,
        });

        // The target with its phases and settings.
        const phase = (name, files) =>
          add(`PBX${name}BuildPhase`, name, {
            buildActionMask: 2147483647,
            files,
            runOnlyForDeploymentPostprocessing: 0,
          });
        const source = add("PBXBuildFile", `${FILES[0]} in Sources`, {
          fileRef: files[0].value,
          fileRef_comment: files[0].comment,
        });
        const linked = add("PBXBuildFile", `${PRODUCT} in Frameworks`, {
          productRef: dependency.value,
          productRef_comment: dependency.comment,
        });
        const phases = [phase("Sources", [source]), phase("Frameworks", [linked]), phase("Resources", [])];
        const list = add("XCConfigurationList", `Build configuration list for PBXNativeTarget "${TARGET}"`, {
          buildConfigurations: configurations(root).map(({ name, buildSettings: projectSettings }) => {
            const settings =
              (configurations(app).find((other) => other.name === name) || {}).buildSettings || {};
            const target =
              settings.IPHONEOS_DEPLOYMENT_TARGET || projectSettings.IPHONEOS_DEPLOYMENT_TARGET;
            const team = config.ios?.appleTeamId || settings.DEVELOPMENT_TEAM;
            return add("XCBuildConfiguration", bare(name), {
              buildSettings: {
                ALWAYS_EMBED_SWIFT_STANDARD_LIBRARIES: "NO",
                APPLICATION_EXTENSION_API_ONLY: "YES",
                CODE_SIGN_ENTITLEMENTS: quoted(`${TARGET}/${FILES[2]}`),
                CODE_SIGN_STYLE: settings.CODE_SIGN_STYLE || "Automatic",
                CURRENT_PROJECT_VERSION: quoted(config.ios?.buildNumber || "1"),
                ...(team ? { DEVELOPMENT_TEAM: quoted(bare(team)) } : {}),
                GENERATE_INFOPLIST_FILE: "NO",
                INFOPLIST_FILE: quoted(`${TARGET}/Info.plist`),
                ...(target ? { IPHONEOS_DEPLOYMENT_TARGET: target } : {}),
                LD_RUNPATH_SEARCH_PATHS: quoted(
                  "$(inherited) @executable_path/Frameworks @executable_path/../../Frameworks"),
                MARKETING_VERSION: quoted(config.version || "1.0.0"),
                PRODUCT_BUNDLE_IDENTIFIER: quoted(bundleID),
                PRODUCT_NAME: quoted("$(TARGET_NAME)"),
                SKIP_INSTALL: "YES",
                SWIFT_VERSION: settings.SWIFT_VERSION || "5.0",
                TARGETED_DEVICE_FAMILY: settings.TARGETED_DEVICE_FAMILY || quoted("1,2"),
              },
              name,
            });
          }),
          defaultConfigurationIsVisible: 0,
          defaultConfigurationName: "Release",
        });
        const target = add("PBXNativeTarget", TARGET, {
          buildConfigurationList: list.value,
          buildConfigurationList_comment: list.comment,
          buildPhases: phases,
          buildRules: [],
          dependencies: [],
          name: TARGET,
          packageProductDependencies: [dependency],
          productName: TARGET,
          productReference: product.value,
          productReference_comment: product.comment,
          productType: quoted("com.apple.product-type.app-extension"),
        });
        root.targets.push(target);

        // The app depends on the extension and embeds it, before scripts that read the whole app.
        const proxy = add("PBXContainerItemProxy", "PBXContainerItemProxy", {
          containerPortal: rootID,
          containerPortal_comment: "Project object",
          proxyType: 1,
          remoteGlobalIDString: target.value,
          remoteInfo: TARGET,
        });
        app.dependencies.push(
          add("PBXTargetDependency", "PBXTargetDependency", {
            target: target.value,
            target_comment: TARGET,
            targetProxy: proxy.value,
            targetProxy_comment: proxy.comment,
          }));
        const embedName = "Embed Foundation Extensions";
        const embedded = add("PBXBuildFile", `${TARGET}.appex in ${embedName}`, {
          fileRef: product.value,
          fileRef_comment: product.comment,
          settings: { ATTRIBUTES: ["RemoveHeadersOnCopy"] },
        });
        const copies = app.buildPhases
          .map(({ value }) => section("PBXCopyFilesBuildPhase")[value])
          .find((copy) => copy && embedsInEveryBuild(copy));
        if (copies) {
          copies.files.push(embedded);
          return;
        }
        const embed = add("PBXCopyFilesBuildPhase", embedName, {
          buildActionMask: 2147483647,
          dstPath: quoted(""),
          dstSubfolderSpec: 13,
          files: [embedded],
          name: quoted(embedName),
          runOnlyForDeploymentPostprocessing: 0,
        });
        const sources = app.buildPhases.findIndex(({ value }) => section("PBXSourcesBuildPhase")[value]);
        const script = app.buildPhases.findIndex(
          ({ value }, index) => index > sources && section("PBXShellScriptBuildPhase")[value]);
        app.buildPhases.splice(script < 0 ? app.buildPhases.length : script, 0, embed);
      }

      """
  }
}
