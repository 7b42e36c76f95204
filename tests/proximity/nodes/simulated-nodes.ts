import type { ServerResponse } from 'node:http';
import type { Bus, BusHandler } from '#shared/bus/bus.ts';
import type { PositionReport } from '#shared/proximity/contract.ts';
import type {
  PositionRow,
  ProximityEventRow,
} from '../../../api/features/proximity/collections.ts';
import {
  type ProximityDependencies,
  ProximityService,
} from '../../../api/features/proximity/proximity-service.ts';
import { pairWindows } from '../../../api/features/proximity/storage/encounter-store.ts';
import { toRow } from '../../../api/features/proximity/storage/position-store.ts';
import { eventId } from '../../../api/platform/events/event-id.ts';
import { EventStreams } from '../../../api/platform/events/event-streams.ts';
import type { Caller } from '../../../api/platform/session-cache.ts';
import { type Meeting, meet, type Tally } from '../../../bench/encounters.ts';
import type { Random, Simulation } from '../../../bench/simulation.ts';
import { type Phones, personOf, randomOffsets, walkWith } from '../../../bench/walkers.ts';

/** The faults of the cluster. Times in milliseconds. */
export interface ClusterConditions {
  nodes: number;
  /** The bus's delay of a message: least and most. */
  busDelay: readonly [number, number];
  /** The share of its messages that it loses. */
  busLost: number;
  /** When a node is killed; never if absent. */
  killAt?: number;
}

/** Other effects of the cluster, which are checked. */
export interface ClusterLog {
  /** By the user and the other one: when events of an encounter reached the user's stream. */
  events: Map<string, number[]>;
  /** The rows of encounters. */
  recorded: ProximityEventRow[];
}

/** Sessions do not end here. */
const NEVER = new Date(8.64e15);
const DATABASE_MS = 2;
const RECONNECT_MS = 2_000;

/** Lets pairs of walkers meet, each pair on a cluster of its own. @returns their results, and the log of each cluster */
export async function meetOnNodes(
  conditions: ClusterConditions,
  meeting: Meeting,
  noise: number,
  meetings: number,
): Promise<{ tally: Tally; logs: ClusterLog[] }> {
  const logs: ClusterLog[] = [];
  const tally = await meet(
    (walkers, until, walking) => {
      const log: ClusterLog = { events: new Map(), recorded: [] };
      logs.push(log);
      return walkWith(
        (simulation, phones) =>
          createSimulatedNodes(simulation, phones, walking.random, conditions, log),
        walkers,
        until,
        walking,
      );
    },
    meeting,
    noise,
    meetings,
  );
  return { tally, logs };
}

/** Nodes with the product's own proximity service and event streams, and a database and a bus in simulated time. */
function createSimulatedNodes(
  simulation: Simulation,
  phones: Phones,
  random: Random,
  conditions: ClusterConditions,
  log: ClusterLog,
): {
  report(
    userId: string,
    report: PositionReport,
    device: string,
  ): Promise<never> | ReturnType<ProximityService['report']>;
} {
  const wait = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      simulation.after(milliseconds, () => {
        simulation.settled();
        resolve();
      });
    });
  const database = createDatabase(() => wait(DATABASE_MS), simulation, log);
  const alive = new Set<SimulatedNode>();

  interface SimulatedNode {
    subscriptions: Map<string, Set<BusHandler>>;
    service: ProximityService;
    streams: EventStreams;
    sources: ((userId: string, afterId: string) => Promise<{ id: string }[]>)[];
  }

  function createNode(): SimulatedNode {
    const subscriptions: SimulatedNode['subscriptions'] = new Map();
    const bus: Bus = {
      isShared: true,
      isConnected: () => true,
      membersDown: async () => 0,
      drain: async () => {},
      publish(subject, message) {
        const text = JSON.stringify(message);
        for (const other of alive) {
          if (other === node || random.uniform() < conditions.busLost) continue;
          simulation.after(random.between(...conditions.busDelay), () => {
            if (!alive.has(other)) return;
            for (const handle of other.subscriptions.get(subject) ?? []) handle(JSON.parse(text));
            simulation.settled();
          });
        }
      },
      subscribe(subject, handler) {
        const handlers = subscriptions.get(subject) ?? new Set();
        subscriptions.set(subject, handlers.add(handler));
        return () => handlers.delete(handler);
      },
      // Subscriptions take effect at once.
      flush: async () => {},
      onReconnect: () => () => {},
      close: async () => {},
    };
    const streams = new EventStreams(bus, { heartbeatMs: 3_600_000, now: simulation.now });
    const service = new ProximityService({
      clock: {
        now: simulation.now,
        wall: simulation.now,
        after: (milliseconds, run) =>
          simulation.after(milliseconds, () => {
            if (!alive.has(node)) return;
            run();
            simulation.settled();
          }),
      },
      bus,
      events: streams,
      signals: { listen: () => () => {} },
      ...database,
      strangers: { mayShow: () => false, settle: async () => false },
      hasAccess: async () => true,
      anonymousIdOf: (_, other) => `anonymous ${other.person.user_id}`,
      offsetOf: randomOffsets(random),
      log: { warn: fail, error: fail },
    });
    const node: SimulatedNode = { subscriptions, service, streams, sources: [] };
    alive.add(node);
    return node;
  }

  for (let index = 0; index < conditions.nodes; index += 1) createNode();
  const someNode = (): SimulatedNode => [...alive][Math.floor(random.uniform() * alive.size)]!;

  /** Opens a user's stream on some node; after its death on another one, resuming from the last event. */
  const streamsOf = new Map<string, SimulatedNode>();
  const lastIds = new Map<string, string>();
  function openStream(userId: string): void {
    const node = someNode();
    streamsOf.set(userId, node);
    const response = createResponse((event, id) => {
      if (!alive.has(node)) return;
      if (id) lastIds.set(userId, id);
      receive(userId, event);
    });
    const lastId = lastIds.get(userId);
    node.streams.open(userId, response, lastId ?? eventId(simulation.now()), async () => NEVER);
    if (!lastId) return;
    void catchUp(node, userId, response, lastId);
    simulation.settled();
  }

  async function catchUp(
    node: SimulatedNode,
    userId: string,
    response: ServerResponse,
    lastId: string,
  ): Promise<void> {
    const missed = await node.streams.missed(userId, lastId);
    for (const event of missed) node.streams.catchUp(userId, response, event);
    simulation.settled();
  }

  function receive(userId: string, event: { type: string } & Record<string, unknown>): void {
    if (event.type === 'cadence')
      return phones.cadence(userId, event['next_update_seconds'] as number);
    const other = (event['user'] as { user_id: string }).user_id;
    const key = `${userId} ${other}`;
    log.events.set(key, [...(log.events.get(key) ?? []), simulation.now()]);
    phones.warn(userId, other);
  }

  if (conditions.killAt !== undefined)
    simulation.after(conditions.killAt, () => {
      const dead = someNode();
      alive.delete(dead);
      dead.service.close();
      for (const [userId, node] of streamsOf)
        if (node === dead) simulation.after(RECONNECT_MS, () => openStream(userId));
    });

  return {
    async report(userId, report, device) {
      if (!streamsOf.has(userId)) openStream(userId);
      const node = someNode();
      const caller = { user: { _id: userId }, session: { _id: `${userId} ${device}` } } as Caller;
      const answer = await node.service.report(caller, report);
      if (!alive.has(node)) throw new Error('The node was killed');
      return answer;
    },
  };
}

function fail(found: unknown): void {
  throw new Error('A simulated node logged an error', { cause: found });
}

/** A response that parses the events written to it. */
function createResponse(
  onEvent: (event: { type: string }, id: string | undefined) => void,
): ServerResponse {
  return {
    on() {},
    writeHead() {},
    end() {},
    destroy() {},
    writableLength: 0,
    write(text: string) {
      const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(text)?.[1];
      const data = field('data');
      if (data) onEvent(JSON.parse(data), field('id'));
      return true;
    },
  } as unknown as ServerResponse;
}

/** The stores of the proximity service, in memory. */
function createDatabase(roundTrip: () => Promise<void>, simulation: Simulation, log: ClusterLog) {
  const rows = new Map<string, PositionRow>();
  const windows = new Set<string>();
  const profile = (userId: string) => ({ isSharing: true, person: personOf(userId) });
  const since = (at: number) => log.recorded.filter((row) => row.triggered_at.getTime() > at);
  return {
    positions: {
      async put(userId, position) {
        await roundTrip();
        rows.set(userId, { _id: userId, ...toRow(position) });
      },
      async remove(userId) {
        await roundTrip();
        rows.delete(userId);
      },
      removeStale: async () => {},
      removeAllStale: async () => {},
      async *inCells(cells) {
        await roundTrip();
        yield [...rows.values()].filter((row) => cells.includes(row.cell));
      },
      async ofUsers(userIds) {
        await roundTrip();
        return userIds.flatMap((userId) => rows.get(userId) ?? []);
      },
    },
    profiles: {
      of: async (userId) => profile(userId),
      read: async (userIds) => new Map(userIds.map((id) => [id, profile(id)])),
      invalidate() {},
      invalidateAll() {},
    },
    encounters: {
      createRow({ user_id: sender_user_id }, { user_id: receiver_user_id }, distance_feet) {
        const at = simulation.now();
        const pair_windows = pairWindows(sender_user_id, receiver_user_id, at);
        const triggered_at = new Date(at);
        return {
          _id: eventId(at),
          sender_user_id,
          receiver_user_id,
          distance_feet,
          triggered_at,
          pair_windows,
        };
      },
      async record(row) {
        await roundTrip();
        if (row.pair_windows.some((window) => windows.has(window))) return;
        for (const window of row.pair_windows) windows.add(window);
        log.recorded.push(row);
      },
      async after(userId, id) {
        await roundTrip();
        return since(simulation.now() - 30_000).filter(
          (row) => row._id > id && [row.sender_user_id, row.receiver_user_id].includes(userId),
        );
      },
      async recentAmong(userIds) {
        await roundTrip();
        return since(simulation.now() - 30_000).filter(
          (row) => userIds.includes(row.sender_user_id) && userIds.includes(row.receiver_user_id),
        );
      },
      async since(at) {
        await roundTrip();
        return since(at.getTime());
      },
    },
  } satisfies Pick<ProximityDependencies, 'positions' | 'profiles' | 'encounters'>;
}
