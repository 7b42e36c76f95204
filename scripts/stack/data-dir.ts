import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';

/** Everything that one running instance keeps on disk. */
export interface DataDir {
  path: string;
  /** What the api and the sync server know each other by. */
  syncSecret: string;
  /** Whether whoever had it before did not end cleanly, and may still be ending. */
  abandoned: boolean;
  release(): void;
}

/**
 * Takes a data directory for this process alone.
 * @throws when another running process has it
 */
export async function takeDataDir(directory: string): Promise<DataDir> {
  const path = resolve(directory);
  mkdirSync(path, { recursive: true });
  const lock = await lockFor(path);
  const running = join(path, 'running');
  const abandoned = existsSync(running);
  writeFileSync(running, `${process.pid}\n`);
  return {
    path,
    abandoned,
    syncSecret: secretIn(join(path, 'sync-secret')),
    release() {
      rmSync(running, { force: true });
      lock.close();
    },
  };
}

/**
 * A socket file that belongs to this process only. Unix sockets may have 107 characters at most in their path,
 * so it cannot lie in the data directory.
 */
export function socketPath(directory: string, name: string): string {
  const folder = join(tmpdir(), `leashwise-${userInfo().uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const hash = createHash('sha256').update(resolve(directory)).digest('hex').slice(0, 16);
  return join(folder, `${hash}.${name}`);
}

/** A listening socket is a lock that the system gives back however its holder ends. */
async function lockFor(directory: string): Promise<Server> {
  const socket = socketPath(directory, 'lock');
  const lock =
    (await listen(socket)) ?? ((await answers(socket)) ? undefined : await relisten(socket));
  if (!lock)
    throw new Error(
      `${directory} is in use by another Leashwise: give this one a DATA_DIR of its own`,
    );
  lock.unref();
  return lock;
}

function relisten(socket: string): Promise<Server | undefined> {
  rmSync(socket, { force: true });
  return listen(socket);
}

function listen(socket: string): Promise<Server | undefined> {
  return new Promise((done) => {
    const server = createServer((visitor) => visitor.end());
    server.once('error', () => done(undefined));
    server.listen(socket, () => done(server));
  });
}

function answers(socket: string): Promise<boolean> {
  return new Promise((done) => {
    const visitor = connect(socket);
    visitor.once('connect', () => {
      visitor.destroy();
      done(true);
    });
    visitor.once('error', () => done(false));
  });
}

function secretIn(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}
