// Where a topic begins and ends, as kafkajs learns it over a secured connection.
//
// Arguments: the directory of its package, bootstrap server, a topic, and its keys `ssl` and `sasl`
// as JSON.
"use strict";

const [packageDirectory, server, topic, keys] = process.argv.slice(2);
const { Kafka, logLevel } = require(packageDirectory);

async function main() {
  const kafka = new Kafka({
    clientId: "secured",
    brokers: [server],
    logLevel: logLevel.NOTHING,
    retry: { retries: 1, initialRetryTime: 50 },
    ...JSON.parse(keys),
  });
  const admin = kafka.admin();
  await admin.connect();
  console.log(JSON.stringify(await admin.fetchTopicOffsets(topic)));
  await admin.disconnect();
}

main().catch((error) => {
  console.error(`${error.name}: ${error.message}`);
  process.exit(1);
});
