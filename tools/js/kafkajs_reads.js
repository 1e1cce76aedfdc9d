// The next record of a group, read and committed by kafkajs over a secured connection.
//
// Arguments: the directory of its package, bootstrap server, a topic, a group, and its keys `ssl`
// and `sasl` as JSON. Prints the record's offset.
"use strict";

const [packageDirectory, server, topic, groupId, keys] = process.argv.slice(2);
const { Kafka, logLevel } = require(packageDirectory);

const PATIENCE_MS = 60000;

async function main() {
  const kafka = new Kafka({
    clientId: "secured",
    brokers: [server],
    logLevel: logLevel.NOTHING,
    ...JSON.parse(keys),
  });
  const consumer = kafka.consumer({ groupId });
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  const offset = await new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error("nothing came in time")), PATIENCE_MS).unref();
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    const eachMessage = async ({ message }) => resolve(message.offset);
    consumer.run({ autoCommit: false, eachMessage }).catch(reject);
  });
  const next = (BigInt(offset) + 1n).toString();
  await consumer.commitOffsets([{ topic, partition: 0, offset: next }]);
  console.log(offset);
  await consumer.disconnect();
}

main().catch((error) => {
  console.error(`${error.name}: ${error.message}`);
  process.exit(1);
});
