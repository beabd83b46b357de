#!/usr/bin/env python3
# gst-cca: a software bill of materials of a build, as SPDX 2.3 in JSON
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: sbom.py BUILD >gst-cca.spdx.json

Lists what the build installs, the libraries that Meson found for it, with their Debian packages, and the tools that
made it. CUDA is listed in every build: as what compiled the kernels, or as what would. The same build gives the same
document: its time is SOURCE_DATE_EPOCH, or that of debian/changelog."""

import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
LICENSE = re.search(r"license: '([^']+)'", (ROOT / "meson.build").read_text())[1]
MAINTAINER = re.search(r"^Maintainer: (.+) <(.+)>", (ROOT / "debian" / "control").read_text(), re.MULTILINE)


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def introspect(build, what):
    return json.loads(output("meson", "introspect", f"--{what}", build))


def identity(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(name, version=None, **more):
    fields = {
        "SPDXID": identity(name),
        "name": name,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": "NOASSERTION",
        "copyrightText": "NOASSERTION",
    }
    return fields | ({"versionInfo": version} if version else {}) | more


def debian_package(path):
    """The package that a file belongs to, or None."""
    # Files of packages that were installed before /usr was merged are listed without /usr.
    for place in dict.fromkeys([str(path), str(path).removeprefix("/usr")]):
        try:
            owner = output("dpkg", "-S", place).split(": ")[0].split(",")[0]
        except (OSError, subprocess.CalledProcessError):
            continue
        fields = ["Package", "Version", "Architecture", "Homepage", "source:Package", "source:Version"]
        values = output("dpkg-query", "-W", "-f", "\\n".join(f"${{{field}}}" for field in fields), owner).split("\n")
        name, version, architecture, homepage, source, source_version = values
        url = f"pkg:deb/debian/{name}@{version}?arch={architecture}"
        reference = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": url}
        more = {"homepage": homepage} if homepage else {}
        return package(
            name, version, sourceInfo=f"Debian source {source} {source_version}", externalRefs=[reference], **more
        )
    return None


def libraries(build):
    """The packages of the libraries that Meson's dependencies link, each once."""
    packages, users = {}, {}
    for dependency in introspect(build, "dependencies"):
        links = [link for link in dependency["link_args"] if ".so" in link]
        if dependency["name"] == "threads":
            links.append(output("cc", "-print-file-name=libc.so.6").strip())
        found = [debian_package(pathlib.Path(link).resolve()) for link in links]
        # Not Debian's: all that is known is what Meson knows.
        for each in [each for each in found if each] or [package(dependency["name"], dependency["version"])]:
            packages[each["name"]] = each
            users.setdefault(each["name"], {})[dependency["name"]] = None
    return [each | {"comment": "linked for " + ", ".join(users[name])} for name, each in packages.items()]


def nvcc_of(build):
    """The nvcc that compiled kernels, or None."""
    for target in introspect(build, "targets"):
        if target["type"] == "custom" and target["filename"][0].endswith(".fatbin"):
            return pathlib.Path(target["target_sources"][0]["compiler"][0])
    return None


def cuda(build, root):
    """Packages and relationships of CUDA, which every build may have."""
    nvcc = nvcc_of(build)
    driver = package(
        "NVIDIA-driver",
        comment="libcuda.so.1, opened when a CUDA element starts; without it, the CPU elements work",
        homepage="https://www.nvidia.com/drivers",
    )
    toolkit = package("CUDA-toolkit", homepage="https://developer.nvidia.com/cuda-toolkit")
    packages = [driver, toolkit]
    relationships = [(driver["SPDXID"], "OPTIONAL_DEPENDENCY_OF", root)]
    if not nvcc:
        toolkit["comment"] = "compiles the CUDA kernels, where nvcc is found; this build has none"
        relationships.append((toolkit["SPDXID"], "OPTIONAL_DEPENDENCY_OF", root))
        return packages, relationships
    toolkit["versionInfo"] = re.search(r"release [\d.]+, V([\d.]+)", output(nvcc, "--version"))[1]
    toolkit["comment"] = "nvcc compiled the CUDA kernels of this build"
    relationships.append((toolkit["SPDXID"], "BUILD_TOOL_OF", root))
    for header in nvcc.parents[1].glob("**/cub/version.cuh"):
        number = int(re.search(r"#define CUB_VERSION (\d+)", header.read_text())[1])
        cub = package("CUB", f"{number // 100000}.{number // 100 % 1000}.{number % 100}")
        cub |= {"homepage": "https://github.com/NVIDIA/cccl", "licenseDeclared": "BSD-3-Clause"}
        packages.append(cub | {"comment": "block primitives of its headers are compiled into the kernels"})
        relationships.append((root, "STATIC_LINK", cub["SPDXID"]))
        break
    return packages, relationships


def installed(build):
    """What the build made and installs, as files."""
    for path, place in sorted(introspect(build, "installed").items(), key=lambda pair: pair[1]):
        path = pathlib.Path(path)
        if build in path.parents and path.is_file():
            data = path.read_bytes()
            kind = "BINARY" if data.startswith(b"\x7fELF") else "TEXT"
            yield {
                "SPDXID": identity(f"File-{place}"),
                "fileName": "." + place,
                "fileTypes": [kind],
                "checksums": [
                    {"algorithm": "SHA1", "checksumValue": hashlib.sha1(data).hexdigest()},
                    {"algorithm": "SHA256", "checksumValue": hashlib.sha256(data).hexdigest()},
                ],
                "licenseConcluded": LICENSE,
                "licenseInfoInFiles": ["NOASSERTION"],
                "copyrightText": "NOASSERTION",
            }


def created():
    seconds = os.environ.get("SOURCE_DATE_EPOCH") or output(
        "dpkg-parsechangelog", "-l", str(ROOT / "debian" / "changelog"), "-STimestamp"
    )
    return datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def document(build):
    project = introspect(build, "projectinfo")
    name, version = project["descriptive_name"], project["version"]
    files = list(installed(build))
    if not files:
        sys.exit(f"sbom: {build} has built nothing that is installed: build it first")
    root = identity(name)
    sums = sorted(file["checksums"][0]["checksumValue"] for file in files)
    product = package(
        name,
        version,
        supplier="Organization: {} ({})".format(*MAINTAINER.groups()),
        licenseConcluded=LICENSE,
        licenseDeclared=LICENSE,
        licenseInfoFromFiles=["NOASSERTION"],
        filesAnalyzed=True,
        packageVerificationCode={"packageVerificationCodeValue": hashlib.sha1("".join(sums).encode()).hexdigest()},
        primaryPackagePurpose="LIBRARY",
    )
    linked = libraries(build)
    tools = [package("meson", output("meson", "--version").strip())]
    compilers = (target["target_sources"][0]["compiler"] for target in introspect(build, "targets"))
    compiler = next(words for words in compilers if words[-1].endswith(("cc", "clang")))[-1]
    path = pathlib.Path(output("which", compiler).strip()).resolve()
    tools.append(debian_package(path) or package(compiler, output(compiler, "-dumpfullversion").strip()))
    optional, relationships = cuda(build, root)
    relationships += [("SPDXRef-DOCUMENT", "DESCRIBES", root)]
    relationships += [(root, "CONTAINS", file["SPDXID"]) for file in files]
    relationships += [(root, "DYNAMIC_LINK", each["SPDXID"]) for each in linked]
    relationships += [(tool["SPDXID"], "BUILD_TOOL_OF", root) for tool in tools]
    result = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"{name}-{version}",
        "creationInfo": {"created": created(), "creators": [f"Tool: {pathlib.Path(__file__).name}-{version}"]},
        "packages": [product, *linked, *tools, *optional],
        "files": files,
        "relationships": [
            {"spdxElementId": first, "relationshipType": kind, "relatedSpdxElement": second}
            for first, kind, second in relationships
        ],
    }
    content = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(result, sort_keys=True))
    result["documentNamespace"] = f"https://spdx.org/spdxdocs/{name}-{version}-{content}"
    return result


if len(sys.argv) != 2:
    sys.exit(__doc__)
print(json.dumps(document(pathlib.Path(sys.argv[1]).resolve()), indent=2))
