"""Every limit in one table: its unit in its name, its reason beside it."""

from __future__ import annotations

from typing import Final

# Frames and messages.
MAX_FRAME_BYTES: Final = 104_857_600  # Kafka's socket.request.max.bytes
MAX_REQUEST_FRAME_BYTES: Final = 1_048_576  # 10,000 quota entries take half of it
MAX_CAPTURE_BYTES: Final = 1_073_741_824  # of a packet capture that frame decode reads
MAX_PRODUCE_FRAME_BYTES: Final = 16_777_216  # two largest batches, only to be refused politely
MAX_REQUEST_ROWS: Final = 2_000  # a few milliseconds of the loop; few topics are served here
MAX_QUOTA_REQUEST_ROWS: Final = 40_000  # 10,000 entries, their entities in pairs, one change each
MAX_PARTITION_ROWS: Final = 100_000  # of partitions, and replicas of each; a frame holds 80,000
MAX_UNAUTHENTICATED_FRAME_BYTES: Final = 524_288  # Kafka's sasl.server.max.receive.size
MAX_UNAUTHENTICATED_FRAMES: Final = 8  # SCRAM takes four, a careful client asks versions twice
MAX_AUTHENTICATION_MS: Final = 30_000  # from the first byte to the proof; a login takes a second
MAX_TLS_HANDSHAKE_MS: Final = 10_000  # Kafka's socket.connection.setup.timeout.ms; it takes tens
MAX_TLS_HANDSHAKE_BYTES: Final = 131_072  # of the client; OpenSSL takes chains of 100 KiB at most
MAX_TLS_HANDSHAKES: Final = 512  # unfinished on one listener; one more ends the oldest of them
MAX_TLS_HANDSHAKES_BYTES: Final = 4_194_304  # of all unfinished; beyond it the oldest ends
TLS_WRITE_BYTES: Final = 262_144  # enciphered at once, a quarter of a millisecond of the loop
MAX_RESPONSE_BYTES: Final = 100_000_000  # librdkafka drops the connection above this

# Connections and what they may hold.
MAX_CONNECTIONS_PER_LISTENER: Final = 10_000  # file descriptors, with some left over
MAX_CONNECTIONS_PER_ADDRESS: Final = 2_000  # one host's pool cannot lock out the others
MAX_REQUEST_BYTES_IN_FLIGHT: Final = 33_554_432  # two largest frames
SHARES_OF_BUDGET: Final = 4  # one address, or one user, holds at most a quarter of it
MAX_UNAUTHENTICATED_BYTES: Final = 4_194_304  # of all that have yet to prove who they are
MAX_VOTER_REQUEST_BYTES: Final = 8_388_608  # of voters' connections; theirs are small
RESUMES_AT_ONCE: Final = 8  # connections that waited for the budget and read on together
CLOSES_FOR_ROOM: Final = 2  # connections closed in one go to make room for a request
LOOKS_FOR_ROOM: Final = 16  # connections looked at for that; some have sent what was not read yet
LOOKS_AT_SOCKETS: Final = 256  # of connections that wait, for the rest of their requests, in one go
STALLED_FRAME_MS: Final = 20  # unfinished for so long, a request makes way for a small one
STALLED_LARGE_FRAME_MS: Final = 1_000  # and for a large one
LOOKS_AT_WAITING_MS: Final = 20  # how often a socket that is not read is asked for the rest
MAX_UNSENT_ANSWER_BYTES: Final = 33_554_432  # in memory; what leaves from files does not count
MAX_RESIDENT_BYTES: Final = 268_435_456  # under attack: itself, those two, 2,000 connections
CLOSE_NOTES_PER_SECOND: Final = 10  # lines on closed connections; a flood of them is counted
SESSION_LINES_PER_SECOND: Final = 20  # of fetch sessions that came, went or were refused
MAX_LOG_LINES_PER_SECOND: Final = 50  # of one event; above twice what the two before it let pass
MAX_LOG_VALUE_CHARS: Final = 1_000  # of one value in a line; twice as many where signs are escaped
MAX_LOG_LINE_CHARS: Final = 8_000  # of a whole line
MAX_QUOTED_CHARS: Final = 250  # of a name that a message quotes; topics' names have 249
MAX_QUEUED_LOG_LINES: Final = 1_024  # for a reader that is slow; 8 MB at the worst
LOG_WRITE_BYTES: Final = 65_536  # of lines in one write: what a pipe holds
MAX_SERVICE_STATUS_CHARS: Final = 500  # of what systemctl shows of a node
LOG_FLUSH_MS: Final = 1_000  # how long a stop waits for its last lines to be taken
MAX_DESCRIPTORS: Final = 65_536  # five listeners' worth of connections, and the files
LEAST_FILE_DESCRIPTORS: Final = 64  # kept for files; a fresh node has 26 open
MAX_FILE_DESCRIPTORS: Final = 512  # the same where the process may have many
SPARE_FILE_DESCRIPTORS: Final = 48  # of those, for what is no file of a log, and for the next roll
LEAST_LINK_DESCRIPTORS: Final = 32  # kept for connections to other nodes: 16 forwards, 2 a voter
MAX_LINK_DESCRIPTORS: Final = 256  # the same where the process may have many
LEAST_METRICS_DESCRIPTORS: Final = 8  # kept for connections to the metrics listener
MAX_METRICS_CONNECTIONS: Final = 64  # a few scrapers and probes, with room
LEAST_VOTER_DESCRIPTORS: Final = 32  # of connections, kept for the controller listener
MAX_VOTER_DESCRIPTORS: Final = 256  # the same where the process may have many
LEAST_CONNECTION_DESCRIPTORS: Final = 24  # for clients, or the node is of no use
UNPROVEN_VOTER_MS: Final = 20  # a connection in the voters' part has that long to speak as a voter
DESCRIPTORS_AT_START: Final = 16_384  # room in the process's table: 128 KiB of the kernel's memory
CONNECTION_IDLE_MS: Final = 600_000  # Kafka's connections.max.idle.ms
SLOW_READER_MS: Final = 60_000  # a peer that takes nothing for a minute is gone
FRAME_ARRIVAL_MS: Final = 120_000  # a frame that was begun is complete by then: 100 MiB at 1 MB/s
PRESSED_FRAME_ARRIVAL_MS: Final = 10_000  # the same while unfinished frames hold the whole budget
READ_CHUNK_BYTES: Final = 65_536  # one recv
SCANT_READ_CHUNK_BYTES: Final = 4_096  # the same while the budget is spent
FIRST_READ_CHUNK_BYTES: Final = 2_048  # and where the last request was shorter than that
SMALL_REQUEST_BYTES: Final = 1_024  # up to it a request in service is not charged
LARGE_REQUEST_BYTES: Final = 16_384  # beyond it a command waits for the budget
MEDIUM_REQUEST_BYTES: Final = 65_536  # beyond it all wait for their turns, and for the budget
DECODED_WEIGHT: Final = 8  # bytes of a decoded request for one on the wire, as rows usually are
ACCEPTS_PER_TURN: Final = 4  # connections taken from the backlog in one go
ACCEPT_PAUSE_MS: Final = 250  # when the process has no file descriptor left
LEAVES_PER_TURN: Final = 16  # connections cleared away in one turn whose peers hung up
LEAVES_PER_ACCEPT: Final = 2  # of them, for each connection that is taken from the backlog
CLOSES_PER_TURN: Final = 8  # connections closed for being overdue in one go

# Turns of the one loop.
REQUESTS_PER_TURN: Final = 64  # pipelined requests that one connection may have served in one go
COMMANDS_TOGETHER: Final = 16  # pipelined commands of one connection that share an answer
EVENTS_AT_ONCE: Final = 128  # sockets that are ready together, of which the system is asked at once
TAILERS_AT_ONCE: Final = 16  # of them that tail the log; the others are looked after in between
EMPTY_POLLS: Final = 8  # for commands that are about to come; then those who came go alone
POLLS_BEFORE_REST: Final = 16  # about what it costs to go away and be woken, 20 us
TURN_MS: Final = 2  # and for how long; who took longer, or comes with a large request, queues
QUEUED_TURN_MS: Final = 1  # how long a turn of those is, unless a single request takes longer
LONG_TURN_MS: Final = 4  # an API whose requests took so long twice is one that queues
REST_PERCENT: Final = 75  # of the time its turns took the queue rests, for the others
LEAST_REST_MS: Final = 1  # the shortest rest: timers are no finer
OTHERS_SERVED_MS: Final = 500  # the queue rests for so long after another connection's request
READS_PER_TURN: Final = 4  # of a large request, READ_CHUNK_BYTES each
WAKES_PER_TURN: Final = 16  # fetches that waited for the same commit, or the same deadline
WAITERS_A_MS: Final = 20  # of hundreds who wait for a commit; each costs an answer and a question
WAITERS_AT_ONCE: Final = 64  # so many are answered without a pause: 3 ms of the loop
WAITERS_PAUSE_MS: Final = 2  # between two goes: a timer for each millisecond would cost too much
SPARE_VOTER_MS: Final = 8  # how often a voter that the majority does without is sent records
SPARE_VOTER_LATEST_MS: Final = 10  # when it is sent what there is, if no more come
WATERMARK_ALONE_MS: Final = 5  # a voter learns of a commit so late, or with the next records
NEAR_END_OFFSETS: Final = 256  # who is no further behind tails the log, and waits its turn
ROWS_PER_STEP: Final = 32  # of a long answer that is made in steps: about 0.2 ms
ROWS_ENCODED_PER_STEP: Final = 200  # rows of a long answer, and rows in these: about 0.5 ms
ROWS_READ_PER_STEP: Final = 500  # of a long request, counted or decoded: about 0.5 ms
FILTERS_PER_STEP: Final = 100  # of DeleteAcls, read and ordered: about 0.5 ms
LOOKUPS_PER_STEP: Final = 500  # of access rules among filters: about 0.5 ms
TOKENS_PER_STEP: Final = 1_000  # delegation tokens whose HMAC is computed: about 2 ms
VALUES_FORGOTTEN_PER_COMMIT: Final = 1_000  # old values of the state, a few us each
ROWS_PER_COMMAND: Final = 100  # of a long request; planned and written in one go: about 3 ms
SEND_TURN_BYTES: Final = 1_048_576  # what leaves through one socket before others have their turn
UNSENT_IN_KERNEL_BYTES: Final = 262_144  # what the system takes ahead of what the peer's window has

# Work that waits.
MAX_INBOX_DEPTH: Final = 1_024  # beyond it, ask waits and one connection parks
MAX_PENDING_REPLIES: Final = 10_000  # commands that wait for their records to be committed
MAX_HELD_BACK_CONNECTIONS: Final = 1_000  # of addresses that connect too often, closed late
MAX_PARKED_FETCHES: Final = 20_000  # each costs about 1 KiB
SHARED_FETCH_ANSWERS: Final = 64  # places in the log whose answer is kept for the next asker
ENCODED_ANSWERS: Final = 4  # the latest answers to fetches that are kept encoded
ENCODED_ANSWER_BYTES: Final = 65_536  # and how long they are at most: who reads more, reads alone
LAST_HEADER_BYTES: Final = 256  # of the head of a connection's last request, kept likewise
LAST_FETCH_BYTES: Final = 256  # of a connection's last fetch, kept to know the next one by
LAST_FETCH_TRIES: Final = 16  # connections that never ask the same again are given up
MAX_PARKED_FETCH_PARTITIONS: Final = 64  # of one fetch that waits: it is planned at every commit
MAX_FETCH_WAIT_MS: Final = 300_000  # a client may ask for longer, we answer empty by then
FETCH_SESSION_EVICTION_MS: Final = 120_000  # idle or old enough to go; a constant of Kafka
MAX_CLIENT_PATTERN_CHARS: Final = 2_000  # client metrics' match, of one request; compiled at once
MAX_FETCH_SESSION_PARTITIONS: Final = 2_000  # one request could not name more: MAX_REQUEST_ROWS
MAX_FETCH_SESSION_BYTES: Final = 33_554_432  # of all sessions together, counted as the next two say
FETCH_SESSION_BYTES: Final = 1_024  # what a session weighs without its partitions
FETCH_PARTITION_BYTES: Final = 768  # and each of its partitions without its topic's name
MAX_TRACKED_REPLICAS: Final = 10_000  # brokers and observers that a leader lists
FETCH_ERROR_DELAY_MS: Final = 300  # clients without a back-off of their own spin otherwise
ADMIN_REQUEST_MS: Final = 30_000  # a request without a time-out of its own: Kafka's client default
MAX_TOKEN_CREDENTIALS: Final = 1_000  # of tokens that logged in; each took 4 ms to compute
MAX_QUOTA_RATES: Final = 10_000  # clients whose quotas are counted; they name themselves
MAX_FORWARDS: Final = 1_000  # requests on their way to the leader; each is one small task
REPLACED_LEADER_ANSWER_MS: Final = 100  # of a request sent to it: a leader that runs says by then
MAX_FORWARD_CONNECTIONS: Final = 16  # to the leader, one request at a time on each
MAX_LISTENERS_PER_NODE: Final = 100  # of a registration; Kafka's nodes have two or three
MAX_FEATURES_PER_NODE: Final = 1_000  # of a registration; Kafka 4.4 has eight

# The log.
LOG_DIRECTORY_CHECK_MS: Final = 1_000  # between two looks whether directory and segments are there
SEGMENTS_PER_CHECK: Final = 16  # looked for in one of them beside the last one, in turns
MAX_RECENT_BATCHES: Final = 128  # of a segment, found without a look at the file
MAX_PLAN_ENDS: Final = 64  # of a segment: where readers go on that read it from the start
MAX_RECORDS_PER_BATCH: Final = 10_000  # Kafka's own limit for one append of the controller
RECORDS_PER_TURN: Final = 500  # of a change in turns: some 5 ms to plan, append and replay
UNCOMMITTED_TURN_RECORDS_MAX: Final = 1_000  # so one turn is planned while one is being committed
ISRS_PER_TURN: Final = 250  # of a report of a leader, each with its epochs: some 7 ms
PARTITIONS_PER_TURN: Final = 20_000  # that such a change looks at: some 5 ms to pass over
MAX_BATCH_BYTES: Final = 8_388_608  # KRaft's max.batch.size
MAX_DECOMPRESSED_BATCH_BYTES: Final = 67_108_864  # eight largest batches; stops bombs
MAX_COMPRESSED_FRAMES: Final = 1_000  # gzip members or frames in one batch; Kafka writes one
MAX_HEADERS_PER_RECORD: Final = 10_000  # Kafka writes none here; others' batches are read too
MAX_UNCOMMITTED_BYTES: Final = 67_108_864  # appends beyond it are refused until some commit
MAX_FETCH_BYTES: Final = 57_671_680  # Kafka's fetch.max.bytes of a broker, 55 MiB
MAX_QUOTA_ENTRIES_PER_REQUEST: Final = 10_000  # they must fit one atomic append
MAX_EPOCH: Final = 2_000_000_000  # believed at once; a peer near 2**31 would leave no epoch
MAX_EPOCH_STEP: Final = 1_000  # above it an epoch is believed that is at most so much above ours
LAST_EPOCH: Final = 2_147_483_646  # no election is held above it: Kafka's epochs are 32 bits wide

# The metadata state.
MAX_SHARED_VALUES: Final = 65_536  # lists of replicas and the like that are kept once; 10 MiB

# Snapshots.
SNAPSHOT_SLICE_RECORDS: Final = 250  # one batch, made in one go: a few milliseconds of the loop
SNAPSHOT_REST_PERCENT: Final = 300  # of a slice's time is for others, while anything is uncommitted
RECORDS_PER_SLICE: Final = 500  # replayed in one go by who follows: a few milliseconds
LOAD_SLICE_RECORDS: Final = 500  # the same while one is loaded
CLEAR_SLICE_ENTRIES: Final = 2_000  # the same while a state that was replaced goes
GC_FREEZE_RECORDS: Final = 50_000  # from so many on a full pass of the collector would be felt
GC_FREEZE_OBJECTS: Final = 20_000  # before a full pass, which takes up to 1 us for each
GC_THRESHOLDS: Final = (2_000, 3, 100)  # objects made between passes; default 700, 10, 10
QUICK_SYNC_US: Final = 4_000  # a write and its sync; a disk that stalls takes far longer
QUICK_SYNCS_IN_A_ROW: Final = 16  # then a follower makes the next where it stands
FAST_WRITES_IN_A_ROW: Final = 256  # a load and no burst: then a log has room behind its end
FAST_WRITES_PAUSE_MS: Final = 100  # at most between two of them; after that the room is given back
TICKS_BEFORE_TIMERS: Final = 3  # of trio's: so many until a task goes on whose thread has ended
SWITCH_INTERVAL_S: Final = 0.0002  # below a slice of a snapshot, after which Python is let go of
GC_STEP_EVERY_S: Final = 60.0  # on PyPy: a file that was deleted has its room back within minutes
PYPY_COMPILES_AFTER_CALLS: Final = 300  # or rounds of a loop; the defaults are 1,619 and 1,039
PYPY_BRANCHES_AFTER: Final = 60  # rounds that leave compiled code at one place; the default is 200
PYPY_TRACE_OPERATIONS: Final = 20_000  # a longer one is given up; the default is 6,000
SNAPSHOT_WRITE_BYTES: Final = 1_048_576  # what is encoded of one before a thread writes it
SNAPSHOT_SYNC_BYTES: Final = 1_048_576  # of a snapshot; the log's sync may wait for as many

# Voters.
MAX_VOTERS: Final = 100  # each is asked for votes and counted at every fetch; clusters have 3 to 9
MAX_ENDPOINTS_PER_VOTER: Final = 32  # listeners of one controller, in every Voters record
MAX_HOST_CHARS: Final = 255  # of a voter's host or listener: DNS has 253, and 100 fit one batch
CAUGHT_UP_WITHIN_MS: Final = 3_600_000  # Kafka's: a new voter has fetched within the hour

# Consumer groups.
MAX_GROUPS: Final = 10_000  # clients choose their names; a group weighs some KiB
MAX_GROUP_MEMBERS: Final = 1_000  # one of them has the only partition; group.max.size lowers it
MAX_GROUP_MEMBER_BYTES: Final = 262_144  # what one says of itself; Kafka's clients need some KB
MAX_GROUPS_BYTES: Final = 33_554_432  # what members of classic groups said and were assigned
MAX_EXPIRED_OFFSETS_AT_ONCE: Final = 1_000  # in one batch and one step of the coordinator
FAILED_DEADLINE_RETRY_MS: Final = 60_000  # work of a deadline that raised is tried again then
MAX_PATTERN_CHARS: Final = 1_000  # of a client's regular expression; topics' names have 249
MAX_PATTERN_BYTES: Final = 1_048_576  # of an expression that RE2 compiled, while it is matched

# The exporter of another quorum.
MAX_TOPICS_SHOWN: Final = 2_000  # five series each, by choice; those in trouble come first
MAX_REPLICAS_SHOWN: Final = 1_000  # observers are as many as there are brokers

# A quorum on a screen (`metaquorum top`).
MAX_PARTITIONS_NAMED: Final = 10_000  # of those in trouble, kept by name; all of them are counted
MAX_SCREEN_ROWS: Final = 1_000  # of one table; nobody scrolls further
MAX_CHANGES_KEPT: Final = 500  # lines about the last changes
MAX_CHANGE_CHARS: Final = 1_000  # of such a line; a value in it may have megabytes
MAX_CHANGES_OF_BATCH: Final = 8  # lines of one batch; a broker that is fenced changes thousands
MAX_RECENT_LOG_BYTES: Final = 8_388_608  # of the last batches, to look into their records
MAX_TOPICS_LOOKED_AT: Final = 200_000  # names that a search goes through: some 20 ms
MAX_LEADERS_KEPT: Final = 200  # epochs that the band is drawn from

# Reading the metadata log of another quorum.
TAIL_FETCH_BYTES: Final = 1_048_576  # what Kafka's own replicas ask for since 4.3
TAIL_FETCH_WAIT_MS: Final = 500  # Kafka's controller.quorum.fetch.wait of replicas
MAX_TAIL_HELD_BYTES: Final = 67_108_864  # fetched and not yet committed; a leader allows no more
SNAPSHOT_CHUNK_BYTES: Final = 1_048_576  # one FetchSnapshot
MAX_SNAPSHOT_GUESSES: Final = 500  # names tried for an older one; a line in Kafka's log for each
MAX_SNAPSHOT_BYTES: Final = 2_147_483_647  # Kafka serves no position beyond it

# Recovery of a quorum that is lost.
MAX_SURVEY_BYTES: Final = 16_777_216  # of a survey or a plan; one has some hundred KiB

# Backups of a quorum.
BACKUP_SEGMENT_BYTES: Final = 67_108_864  # of one object with batches; so much is on disk meanwhile
MAX_BACKUP_MANIFEST_BYTES: Final = 16_777_216  # of one step; it has a row for each epoch and object
MAX_BACKUP_STEPS: Final = 100_000  # of one store; eleven years of one an hour
MAX_BACKUP_OBJECT_BYTES: Final = 2_147_483_647  # a snapshot is the largest of them

# Shutdown.
SHUTDOWN_GRACE_MS: Final = 2_000  # parked requests finish or expire within it
