# What the pages of docs/how-to take as there already; `tools/shell_blocks.py` puts it before theirs.

ip link set lo up
mount --bind hosts /etc/hosts
mount -t tmpfs tmpfs /var/lib  # where pages have the reader's files
mount -t tmpfs tmpfs /mnt

# An /etc that a page may write to.
own_etc() {
    cp -a /etc etc
    mount --bind etc /etc
}

# What pages install, the environment of the test has, as far as the blocks that follow need it.
pip() { echo "installed already: $*"; }

# `metaquorum` and the Python of the tests, with the tree's own modules.
in_tree() { PYTHONPATH=$TREE python "$@"; }

# Tools of the real Kafka: one JVM each.
kafkas_tool() { in_tree -m tools.kafka tool "$@"; }
for tool in console-consumer consumer-groups features; do
    eval "kafka-$tool.sh() { kafkas_tool $tool \"\$@\"; }"
done

# A broker's log directory with a partition `orders` of some closed segments.
brokers_log() {
    in_tree -c "from pathlib import Path
from tests.unit.storage.tiered_partition import orders
orders(Path.cwd())"
    mv logs $1
}

# A log directory of a controller of Kafka 4.3.1, as it was recorded.
kafkas_log() {
    mkdir -p $1/__cluster_metadata-0
    zcat $TREE/tests/unit/metadata/logs/kafka-4.3.1.log.gz \
        > $1/__cluster_metadata-0/00000000000000000000.log
}

until_well() {
    for _ in $(seq 100); do metaquorum health --bootstrap-controller $1 --timeout 2 && return; done
    return 1
}

# The configuration of controller $1 on port 9093 of host $2, whose peers are $3.
voter_file() {
    printf '%s\n' process.roles=controller node.id=$1 controller.quorum.bootstrap.servers=$3 \
        controller.listener.names=CONTROLLER listeners=CONTROLLER://$2:9093 log.dirs=voter$1
}

# A quorum of three at a, b and c, which are c1, c2 and c3 as well.
three_voters() {
    local cluster=$(metaquorum storage random-uuid) ids=() voters
    for n in 0 1 2; do ids[n]=$(metaquorum storage random-uuid); done
    voters=1@a:9093:${ids[0]},2@b:9093:${ids[1]},3@c:9093:${ids[2]}
    local n=0
    for host in a b c; do
        n=$((n + 1))
        voter_file $n $host a:9093,b:9093,c:9093 > voter$n.properties
        metaquorum storage format -t $cluster -c voter$n.properties --initial-controllers $voters
        metaquorum server start voter$n.properties &
    done
    until_well a:9093,b:9093,c:9093
}

# A quorum of one static voter on port $1.
static_voter() {
    printf '%s\n' process.roles=controller node.id=1 controller.quorum.voters=1@localhost:$1 \
        controller.listener.names=CONTROLLER listeners=CONTROLLER://localhost:$1 \
        log.dirs=static > static.properties
    metaquorum storage format -t $(metaquorum storage random-uuid) -c static.properties
    metaquorum server start static.properties &
    until_well localhost:$1
}

# A node that wrote two snapshots and more, stopped; $1 is its directory.
node_with_snapshots() {
    {
        voter_file 1 a a:9093
        echo log.dirs=$1
        echo metadata.log.max.record.bytes.between.snapshots=1
    } | grep -v voter > snapshots.properties
    metaquorum storage format -t $(metaquorum storage random-uuid) -c snapshots.properties --standalone
    metaquorum server start snapshots.properties &
    until [ $(ls $1/__cluster_metadata-0/*.checkpoint | wc -l) -gt 3 ]; do sleep 0.2; done
    kill $!
    wait $!
}

# A store that speaks the protocol of S3, with a bucket $1, at the port that pages name.
object_store() {
    export AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any AWS_DEFAULT_REGION=us-east-1
    export AWS_ENDPOINT_URL=http://localhost:9000
    moto_server -H localhost -p 9000 2> store.log &
    until python -c "import boto3; boto3.client('s3').create_bucket(Bucket='$1')" 2> /dev/null; do
        sleep 0.2
    done
}

# A request as it went over the wire, and a capture of it with its response.
captures() {
    in_tree -c "from pathlib import Path
from tests.unit.cli.test_capture import CLIENT, END, SERVER, exchange, opened, pcapng, split
asked, answered = exchange('Vote')
Path('request.bin').write_bytes(asked)
packets = split(CLIENT, SERVER, 100, asked, 40) + split(SERVER, CLIENT, 500, answered, 40)
pcapng(Path('capture.pcapng'), opened(*END) + packets)"
}

# The quorum of three_voters, stopped, with its directories voter1, voter2 and voter3.
stopped_voters() {
    three_voters
    for n in 1 2 3; do
        until metaquorum health --bootstrap-controller a:9093,b:9093,c:9093 --node $n; do :; done
    done
    kill $(jobs -p)
    wait
}

# Zeros in the log of voter $1, behind $2 quarters of it.
break_log() {
    local log=voter$1/__cluster_metadata-0/00000000000000000000.log
    dd if=/dev/zero of=$log bs=1 seek=$(($(stat -c %s $log) * $2 / 4)) count=40 conv=notrunc status=none
}
