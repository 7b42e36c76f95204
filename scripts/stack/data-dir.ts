import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';

/** The file in the data directory of a running instance with its MongoDB URI, for `npm run seed`. */
export const URI_FILE = 'mongodb-uri';

/** The folder with everything that a running instance stores. */
export interface DataDir {
  path: string;
  /** Shared secret of the API and the sync server. */
  syncSecret: string;
  /** Whether the previous instance was killed. Its processes may still be exiting. */
  wasKilled: boolean;
  release(): void;
}

/**
 * Locks a data directory for this process.
 * @throws when another running process has locked it
 */
export async function lockDataDir(directory: string): Promise<DataDir> {
  const path = resolve(directory);
  mkdirSync(path, { recursive: true });
  const lock = await lockSocket(path);
  const running = join(path, 'running');
  const wasKilled = existsSync(running);
  writeFileSync(running, `${process.pid}\n`);
  return {
    path,
    wasKilled,
    syncSecret: readSecret(join(path, 'sync-secret')),
    release() {
      rmSync(running, { force: true });
      lock.close();
    },
  };
}

/**
 * Returns the path of a Unix socket for a data directory. It is not in that directory, because the path of a socket may
 * have at most 107 characters.
 */
export function socketPath(directory: string, name: string): string {
  const folder = join(tmpdir(), `leashwise-${userInfo().uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const hash = createHash('sha256').update(resolve(directory)).digest('hex').slice(0, 16);
  return join(folder, `${hash}.${name}`);
}

/** Locks by listening on a socket: the system releases it however this process ends. */
async function lockSocket(directory: string): Promise<Server> {
  const socket = socketPath(directory, 'lock');
  let lock = await listen(socket);
  if (!lock && !(await isAnswering(socket))) {
    rmSync(socket, { force: true });
    lock = await listen(socket);
  }
  if (!lock)
    throw new Error(`Another Leashwise is using ${directory}. Set DATA_DIR to a different folder.`);
  lock.unref();
  return lock;
}

/** Returns undefined if the socket exists already. */
function listen(socket: string): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((visitor) => visitor.end());
    server.once('error', () => resolve(undefined));
    server.listen(socket, () => resolve(server));
  });
}

function isAnswering(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const visitor = connect(socket);
    visitor.once('connect', () => {
      visitor.destroy();
      resolve(true);
    });
    visitor.once('error', () => resolve(false));
  });
}

/** Creates the secret at the first start. */
function readSecret(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}
