"""Files as operators, charts and images write them, with what their variables need."""

from __future__ import annotations

from pathlib import Path

from metaquorum.config.properties import read_properties

DIRECTORY = Path(__file__).parent / "data/deployed"
NAMES = tuple(sorted(one.stem for one in DIRECTORY.glob("*.properties")))
SECRET = "pa$$w0rd"
ENVIRON = {
    "CERTS_STORE_PASSWORD": SECRET,
    "STRIMZI_NODEPORT_DEFAULT_ADDRESS": "10.1.2.3",
    "POD_NAME": "kafka-7",
}
_MOUNTED = ("/opt/kafka", "/mnt/sslcerts")


def properties_of(name: str, mounts: Path) -> dict[str, str]:
    """The properties of a file, with what it expects to be mounted below ``mounts``."""
    for path, text in {
        "opt/kafka/init/rack.id": "zone-a\n",
        "opt/kafka/secrets/password": SECRET,
        "opt/kafka/secrets/users.properties": f"admin={SECRET}\n",
        "mnt/sslcerts/jksPassword.txt": f"jksPassword={SECRET}\n",
    }.items():
        file = mounts / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    properties = read_properties(DIRECTORY / f"{name}.properties")
    for mounted in _MOUNTED:
        properties = {
            key: text.replace(mounted, f"{mounts}{mounted}") for key, text in properties.items()
        }
    return properties
