import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { MongoClient } from 'mongodb';
import * as contract from '#shared/sync/contract.ts';
import { ISSUER } from '../../api/session/sandbox-codes.ts';
import { caller } from '../../client/http/api-client.ts';
import type { NodeEntry } from '../../scripts/stack/nodes-file.ts';
import { CHROMIUM_FLAGS, findChromium } from '../../scripts/test/chromium.ts';
import { newDocumentId } from '../../api/sync-server-client.ts';
import { randomOf } from '../../tests/chat/simulation/link.ts';
import { startTestStack } from '../../tests/stack.ts';
import { insertUser } from '../../tests/sync.ts';
import { ChromiumDevice } from './chromium-device.ts';
import { History, type Servers } from './history.ts';
import { DEVICES, FRIEND, stepsOf } from './script.ts';

const SECRET = 'a secret of the truth bench in Chromium';
const DATABASE = 'truth';
const UP_WITHIN_MS = 60_000;
/** What needs other screens, or servers that are replaced as a whole. */
const LEFT_OUT = new Set<string>(['add-dog', 'block', 'lose-documents', 'back-up', 'restore']);

/**
 * Plays histories with the built app in Chromium and the servers as processes, one at a time.
 * @param onSeed called after each, with what was untrue or lost
 */
export async function playInChromium(
  seeds: readonly number[],
  onSeed: (seed: number, wrong: readonly string[]) => void,
): Promise<void> {
  const stack = await startTestStack({ SYNC_SECRET: SECRET, MONGODB_DB: DATABASE });
  const client = await MongoClient.connect(stack.mongodbUri);
  const browser = await chromium.launch({
    executablePath: findChromium(process.env),
    args: CHROMIUM_FLAGS,
  });
  const db = client.db(DATABASE);
  const pidOf = async (role: NodeEntry['role']) => {
    const nodes = JSON.parse(
      await readFile(join(stack.dataDir, 'nodes.json'), 'utf8'),
    ) as NodeEntry[];
    return nodes.find((node) => node.role === role)?.pid ?? null;
  };
  const signal = async (role: NodeEntry['role'], name: NodeJS.Signals) => {
    const pid = await pidOf(role);
    if (pid !== null) process.kill(pid, name);
  };
  const untilUp = async () => {
    const end = Date.now() + UP_WITHIN_MS;
    for (const path of ['/api/health', '/api/users/me'])
      while (Date.now() < end) {
        const status = await fetch(stack.origin + path).then(
          (answer) => answer.status,
          () => 503,
        );
        if (status < 500) break;
        await wait(100);
      }
  };
  const servers: Servers = {
    db,
    origin: stack.origin,
    syncPort: stack.ports.sync,
    env: { PUBLIC_ORIGIN: stack.origin },
    // A process that ends is started again.
    stopSync: () => signal('sync-server', 'SIGKILL'),
    startSync: untilUp,
    stopApi: () => signal('api', 'SIGKILL'),
    startApi: untilUp,
    async asAdmin() {
      const documents = {
        card: newDocumentId(),
        account: newDocumentId(),
        contacts: newDocumentId(),
      };
      const identity = `${ISSUER} ${randomUUID()}`;
      const { cookie } = await insertUser(db, { documents, identity, is_admin: true });
      return { call: caller({ origin: stack.origin, headers: { cookie } }) };
    },
    mongodbPid: () => mongodbPid ?? undefined,
  };
  const mongodbPid = await pidOf('mongodb');
  const freeze = (ms: number) => {
    void signal('sync-server', 'SIGSTOP')
      .then(() => wait(ms))
      .then(() => signal('sync-server', 'SIGCONT'))
      .catch(() => {});
  };
  const internal = caller({
    origin: `http://127.0.0.1:${stack.ports.internal}`,
    headers: { authorization: `Bearer ${SECRET}` },
  });
  try {
    for (const seed of seeds) {
      const steps = stepsOf(randomOf(seed)).filter(({ is }) => !LEFT_OUT.has(is));
      const devices: ChromiumDevice[] = DEVICES.map(
        (_, i) =>
          new ChromiumDevice(
            browser,
            () => history.idOf(i === FRIEND ? 'ann' : 'bob'),
            i === 0 ? freeze : () => {},
          ),
      );
      const history = new History(steps, servers, devices, {
        lineOf: (i) => devices[i]!,
        isReadAtOnce: true,
        async prepare({ user }) {
          await internal(contract.changeDocument, {
            params: { documentId: user.documents.account.replace('automerge:', '') },
            body: { name: 'guidelines.accept', input: { at: new Date().toISOString() } },
          });
        },
      });
      onSeed(seed, await history.play());
    }
  } finally {
    await browser.close();
    await client.close();
    await stack.stop();
  }
}
