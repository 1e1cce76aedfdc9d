// Everything that people do with kafkajs.
//
// Arguments: the directory of its package, bootstrap server, a topic, a timestamp. One line an
// action, as tools/java/ClientActions.java prints them.
"use strict";

const [packageDirectory, server, topic, timestampMs] = process.argv.slice(2);
const { Kafka, logLevel } = require(packageDirectory);

const PATIENCE_MS = 20000;
const kafka = new Kafka({
  clientId: "matrix",
  brokers: [server],
  logLevel: logLevel.NOTHING,
  retry: { retries: 1, initialRetryTime: 50 },
});

// The error's own type is the server's word; a class of kafkajs speaks for itself.
function word(error) {
  const inner = error.cause || error.originalError || error;
  if (inner.type) return `${inner.name}: ${inner.type}`;
  return inner.name === "Error" ? `Error: ${inner.message}` : inner.name;
}

async function say(name, action) {
  let outcome;
  try {
    outcome = await action();
  } catch (error) {
    outcome = `error\t${word(error)}`;
  }
  console.log(`${name}\t${outcome}`);
}

async function withAdmin(action) {
  const admin = kafka.admin();
  await admin.connect();
  try {
    return await action(admin);
  } finally {
    await admin.disconnect();
  }
}

async function subscribe() {
  const consumer = kafka.consumer({ groupId: "matrix-kafkajs" });
  await consumer.connect();
  try {
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    return await new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error("nothing came in time")), PATIENCE_MS).unref();
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
      consumer
        .run({ eachMessage: async ({ message }) => resolve(`records\t${message.offset}:${message.value.toString("base64")}`) })
        .catch(reject);
    });
  } finally {
    await consumer.disconnect();
  }
}

async function produce() {
  const producer = kafka.producer();
  await producer.connect();
  try {
    await producer.send({ topic, messages: [{ value: "1" }] });
    return "names\tproduced";
  } finally {
    await producer.disconnect();
  }
}

async function transaction() {
  const producer = kafka.producer({ transactionalId: "matrix", maxInFlightRequests: 1, idempotent: true });
  await producer.connect();
  try {
    await producer.transaction();
    return "names\tbegun";
  } finally {
    await producer.disconnect();
  }
}

async function main() {
  for (const name of ["beginning", "offset", "timestamp"]) {
    console.log(`${name}\tabsent\t`);
  }
  await say("find", () =>
    withAdmin(async (admin) => {
      const [row] = await admin.fetchTopicOffsetsByTimestamp(topic, Number(timestampMs));
      return `offsets\t${row.offset}`;
    }),
  );
  await say("offsets", () =>
    withAdmin(async (admin) => {
      const [row] = await admin.fetchTopicOffsets(topic);
      return `offsets\t${row.low},${row.high}`;
    }),
  );
  await say("topics", () =>
    withAdmin(async (admin) => `names\t${(await admin.listTopics()).sort().join(",")}`),
  );
  await say("configs", () =>
    withAdmin(async (admin) => {
      const found = await admin.describeConfigs({ resources: [{ type: 2, name: topic }] });
      const entries = found.resources[0].configEntries;
      return `names\t${entries.map((entry) => entry.configName).sort().join(",")}`;
    }),
  );
  await say("group", subscribe);
  await say("produce", produce);
  await say("transaction", transaction);
  await say("create", () =>
    withAdmin(async (admin) => {
      await admin.createTopics({ topics: [{ topic: "matrix", numPartitions: 1 }] });
      return "names\tmatrix";
    }),
  );
  process.exit(0);
}

main();
