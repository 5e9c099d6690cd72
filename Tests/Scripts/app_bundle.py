"""An app with a notification service extension, in which `martlet doctor` finds something."""
import os
import plistlib
import shutil

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def write(folder):
    """Writes App.app with the executable of Tests/Fixtures/bundles, and returns its path."""
    app = os.path.join(folder, "App.app")
    service = {
        "NSExtensionPointIdentifier": "com.apple.usernotifications.service",
        "NSExtensionPrincipalClass": "Service.NotificationService"}
    bundles = [(app, "App", "APPL", {}), (app + "/PlugIns/Service.appex", "Service", "XPC!", {"NSExtension": service})]
    for path, name, kind, members in bundles:
        os.makedirs(path)
        shutil.copy(os.path.join(ROOT, "Tests/Fixtures/bundles/executable"), os.path.join(path, name))
        info = {
            "CFBundleIdentifier": "com.example.app" + ("" if name == "App" else "." + name), "CFBundleExecutable": name,
            "CFBundlePackageType": kind, "CFBundleShortVersionString": "1.0", "CFBundleVersion": "1",
            "MinimumOSVersion": "15.0", **members}
        with open(os.path.join(path, "Info.plist"), "wb") as file:
            plistlib.dump(info, file)
    return app
