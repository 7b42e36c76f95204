import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Bus } from '../bus/bus.ts';

/** Prometheus waits for 10 s for all values. */
const READ_MAX_MS = 4_000;
type Reading = number | undefined;

/** About a metric of each node. */
export const READY_HELP = '1 while the node takes requests, as its health check says.';

/** Upper bounds in seconds, from answers from memory to requests that time out. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * The measurements of one server, for Prometheus. Names start with `leashwise_`, except those of Node itself. Labels never contain
 * ids, addresses or texts of users. Decision 242.
 */
export class Metrics {
  readonly registry = new Registry();

  /** @param process the name of the process, in each line */
  constructor(process: string) {
    this.registry.setDefaultLabels({ process });
  }

  /** Registers a value that is read when Prometheus asks. One that can't be read within seconds, or is undefined, is left out. */
  gauge(name: string, help: string, read: () => Reading | Promise<Reading>): void {
    const gauge: Gauge = new Gauge({
      name: `leashwise_${name}`,
      help,
      registers: [this.registry],
      async collect() {
        const tooLate = wait(READ_MAX_MS, undefined, { ref: false });
        const reading = (async () => read())();
        const value = await Promise.race([reading, tooLate]).catch(() => undefined);
        // `reset` would make it 0.
        if (value === undefined) gauge.remove();
        else gauge.set(value);
      },
    });
  }

  /** Registers a count of events since the start. */
  counter(name: string, help: string): Counter {
    return new Counter({ name: `leashwise_${name}`, help, registers: [this.registry] });
  }

  /** Registers a distribution, of seconds by default. */
  histogram<Label extends string = never>(
    name: string,
    help: string,
    {
      labelNames = [],
      buckets = DURATION_BUCKETS,
    }: { labelNames?: Label[]; buckets?: number[] } = {},
  ): Histogram<Label> {
    return new Histogram({
      name: `leashwise_${name}`,
      help,
      labelNames,
      buckets,
      registers: [this.registry],
    });
  }

  /** Counts the connections to MongoDB, and its members that don't serve. */
  observeMongodb(client: MongoClient): void {
    const isServing = new Map<string, boolean>();
    client.on('serverHeartbeatSucceeded', ({ connectionId, reply }) => {
      const { isWritablePrimary, ismaster, secondary } = reply;
      isServing.set(connectionId, Boolean(isWritablePrimary || ismaster || secondary));
    });
    client.on('serverHeartbeatFailed', ({ connectionId }) => isServing.set(connectionId, false));
    client.on('serverClosed', ({ address }) => isServing.delete(address));
    this.gauge(
      'mongodb_members_down',
      'Members of MongoDB that give no answer, or are neither primary nor secondary.',
      () => [...isServing.values()].filter((isUp) => !isUp).length,
    );
    let open = 0;
    let inUse = 0;
    client.on('connectionCreated', () => open++);
    client.on('connectionClosed', () => open--);
    client.on('connectionCheckedOut', () => inUse++);
    client.on('connectionCheckedIn', () => inUse--);
    const refused = this.counter(
      'mongodb_checkouts_failed_total',
      'Operations that got no connection to MongoDB.',
    );
    client.on('connectionCheckOutFailed', () => refused.inc());
    this.gauge('mongodb_connections', 'Open connections to MongoDB.', () => open);
    this.gauge('mongodb_connections_in_use', 'Connections to MongoDB in use.', () => inUse);
  }

  /** Says whether the bus to other nodes is connected, which it always is without others. */
  observeBus(bus: Bus): void {
    this.gauge('bus_connected', '1 while the bus to the other nodes is connected.', () =>
      Number(bus.isConnected()),
    );
    this.gauge('bus_members_down', 'Servers of the bus that give no answer.', () =>
      bus.membersDown(),
    );
  }

  /**
   * Serves `/metrics`, including those of Node (memory, event loop lag, garbage collection), on a port of its own that must not be
   * reachable from outside; and `/live`, which answers 200 for as long as this process runs code, also during a long start, without
   * MongoDB and while it drains.
   * @param port METRICS_PORT; without one, nothing is served
   * @returns a function that stops it
   * @throws when the port is taken
   */
  async serve(port: number | undefined, host: string): Promise<() => Promise<void>> {
    if (port === undefined) return async () => {};
    collectDefaultMetrics({ register: this.registry });
    const server = createServer((request, response) => {
      if (request.url === '/live') return void response.writeHead(200).end();
      if (request.url !== '/metrics') return void response.writeHead(404).end();
      this.registry.metrics().then(
        (text) => response.writeHead(200, { 'content-type': this.registry.contentType }).end(text),
        () => response.writeHead(503).end(),
      );
    });
    server.listen(port, host);
    await once(server, 'listening');
    return async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    };
  }
}
