import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { saveProfile } from '#shared/profile/contract.ts';
import { caller } from '../../client/platform/http/api-client.ts';
import { signInMember, type Visitor } from '../../scripts/session/api-session.ts';
import type { NodeEntry } from '../../scripts/stack/nodes-file.ts';
import { type ReplicaSet, startReplicaSet } from '../../scripts/test/replica-set.ts';
import { startTestStack } from '../stack.ts';
import { withJumpingClock } from './clock-jump.ts';
import { Links } from './links.ts';

const LOOK_MS = 100;
/** A line of pino's log of level 40 and above. */
const WARNING = /"level":[456]0/;
const WARNINGS_SHOWN = 15;
const WARNING_LENGTH = 600;

/** A running process, with the name by which it can be cut off, such as `api-1`. */
export interface ClusterNode {
  name: string;
  url: string;
  pid: number;
}

/** Two nodes of each role on a replica set of three and NATS. */
export interface Cluster {
  origin: string;
  set: ReplicaSet;
  links: Links;
  /** Returns the running process with this name. */
  node(name: string): Promise<ClusterNode>;
  /** Signs up an owner who shares their location. */
  createOwner(name: string): Promise<Visitor>;
  /** Returns the calls of an owner to one node. */
  callAt(node: ClusterNode, owner: Visitor): ReturnType<typeof caller>;
  /** Returns the last warnings and errors in the logs of the API and sync nodes, for a failed test. */
  lastWarnings(): Promise<string[]>;
  close(): Promise<void>;
}

/** @param mongod the path of MongoDB's own server */
export async function startCluster(mongod: string): Promise<Cluster> {
  const set = await startReplicaSet(mongod);
  const links = await Links.open();
  const env = { NODES: '2', MONGODB_URI: set.uri, MONGODB_DB: 'cluster' };
  const envOf: typeof links.envOf = (name, own) => withJumpingClock(name, links.envOf(name, own));
  const stack = await startTestStack(env, undefined, envOf).catch(async (error: unknown) => {
    links.close();
    await set.close();
    throw error;
  });
  const { origin } = stack;
  const nodes = async () =>
    JSON.parse(await readFile(join(stack.dataDir, 'nodes.json'), 'utf8')) as NodeEntry[];
  const all = await nodes();
  return {
    origin,
    set,
    links,
    async node(name) {
      const [role, number] = name.split(/-(?=\d)/);
      const { url } = all.filter((node) => node.role === role)[Number(number ?? 1) - 1]!;
      for (;;) {
        // One that restarts is not in the list.
        const running = (await nodes()).find((node) => node.url === url);
        if (running) return { name, url, pid: running.pid! };
        await wait(LOOK_MS);
      }
    },
    async createOwner(name) {
      const owner = await signInMember(origin, `${name}@example.com`);
      const body = { display_name: name, is_location_sharing_enabled: true };
      await owner.call(saveProfile, { body });
      return owner;
    },
    callAt: ({ url }, { jar }) => caller({ origin: url, fetch: jar.fetch }),
    async lastWarnings() {
      const folder = join(stack.dataDir, 'logs');
      const names = (await readdir(folder)).filter((name) => /^(api|sync-server)/.test(name));
      const logs = await Promise.all(
        names.map(async (name) => {
          const lines = (await readFile(join(folder, name), 'utf8')).split('\n');
          return lines
            .filter((line) => WARNING.test(line))
            .slice(-WARNINGS_SHOWN)
            .map((line) => `${name}: ${line.slice(0, WARNING_LENGTH)}`);
        }),
      );
      return logs.flat();
    },
    async close() {
      await stack.stop();
      links.close();
      await set.close();
    },
  };
}
