import { fork, spawn, type ChildProcess } from 'node:child_process';
import { accessSync, closeSync, constants, existsSync, mkdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { MongoClient } from 'mongodb';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { socketPath } from './data-dir.ts';
import { openLog, type Log } from './logs.ts';
import { nodeWithNewLibc } from './fetch-libc.ts';
import { stopChild, untilReady } from './supervised-process.ts';
import { freePort, isFree } from './ports.ts';

export interface Mongodb {
  uri: string;
  /** Which of the three ways was taken. */
  kind: 'configured' | 'mongod' | 'embedded';
  /** Null where MONGODB_URI names a server of somebody else's. */
  child: ChildProcess | null;
  /** Stops what was started here, letting it finish its writes. */
  close(): Promise<void>;
}

export interface MongodbSettings {
  /** Keeps the database in `<dataDir>/mongodb`. Starting again on it gives the same address. */
  dataDir: string;
  env: NodeJS.ProcessEnv;
  /** Takes a line of progress when something takes long. */
  log?(line: string): void;
}

const PREDECESSOR_MS = 20_000;

/**
 * Finds MongoDB: MONGODB_URI; a `mongod` on PATH; the embedded engine from npm.
 * @throws when none of the three can be had, naming them
 */
export async function startMongodb(settings: MongodbSettings): Promise<Mongodb> {
  const configured = settings.env['MONGODB_URI'];
  if (configured)
    return { uri: configured, kind: 'configured', child: null, close: async () => {} };
  const directory = join(resolve(settings.dataDir), 'mongodb');
  mkdirSync(directory, { recursive: true });
  const log = openLog(settings.dataDir, 'mongodb');
  const mongod = onPath('mongod', settings.env);
  try {
    return await (mongod
      ? startMongod(mongod, directory, settings, log)
      : startEmbedded(directory, settings, log));
  } catch (error) {
    const way = mongod ? `\`${mongod}\`` : 'the embedded engine';
    throw new Error(
      'No MongoDB. There are three ways to have one: MONGODB_URI names a running server; `mongod` is on PATH; ' +
        `or the embedded engine starts. Here ${way} was tried: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  } finally {
    closeSync(log.fd);
  }
}

async function startMongod(
  command: string,
  directory: string,
  settings: MongodbSettings,
  log: Log,
): Promise<Mongodb> {
  const data = join(directory, 'mongod');
  if (!existsSync(data) && existsSync(join(directory, 'embedded')))
    settings.log?.(
      `MongoDB: \`${command}\` begins with an empty database; what was saved with the embedded engine is there again when mongod is not on PATH.`,
    );
  mkdirSync(data, { recursive: true });
  await predecessorGone(join(data, 'mongod.lock'));
  const port = await keptPort(join(directory, 'port'));
  const listening = ['--bind_ip', '127.0.0.1', '--port', String(port), '--nounixsocket'];
  const mongod = [command, '--dbpath', data, ...listening];
  // mongod does not notice that its parent is gone; the kernel tells it to.
  const setpriv = process.platform === 'linux' && onPath('setpriv', settings.env);
  const [program = command, ...args] = setpriv
    ? [setpriv, '--pdeathsig', 'TERM', '--', ...mongod]
    : mongod;
  const child = spawn(program, args, {
    stdio: ['ignore', log.fd, log.fd],
    env: settings.env,
    detached: true,
  });
  const uri = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 120_000 });
  const ping = (done: () => void) =>
    client
      .db('admin')
      .command({ ping: 1 })
      .then(done, () => {});
  try {
    await untilReady(child, ping, log.lately);
  } finally {
    await client.close();
  }
  return { uri, kind: 'mongod', child, close: () => stopChild(child) };
}

async function startEmbedded(
  directory: string,
  settings: MongodbSettings,
  log: Log,
): Promise<Mongodb> {
  const node = await nodeWithNewLibc(settings.log ?? (() => {}));
  const socket = socketPath(settings.dataDir, 'mongodb.sock');
  const script = join(import.meta.dirname, 'embedded-mongodb.ts');
  const child = fork(script, [join(directory, 'embedded'), socket], {
    execPath: node.execPath,
    execArgv: [...node.execArgv, '--import', 'tsx'],
    cwd: join(import.meta.dirname, '../..'),
    env: settings.env,
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
    detached: true,
  });
  await untilReady(child, (done) => child.once('message', done), log.lately);
  const uri = `mongodb://${encodeURIComponent(socket)}/?directConnection=true`;
  return { uri, kind: 'embedded', child, close: () => stopChild(child) };
}

/** Waits for a mongod whose parent was killed, and which is still closing its files. */
async function predecessorGone(lockFile: string): Promise<void> {
  const deadline = Date.now() + PREDECESSOR_MS;
  while (Date.now() < deadline) {
    const pid = Number(await readFile(lockFile, 'utf8').catch(() => ''));
    if (!(pid > 0) || !isAlive(pid)) return;
    await wait(200);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A free port, the same one at every start as long as nobody else has taken it. */
async function keptPort(file: string): Promise<number> {
  const kept = Number(await readFile(file, 'utf8').catch(() => ''));
  const port = kept > 0 && (await isFree(kept)) ? kept : await freePort();
  await writeFile(file, String(port));
  return port;
}

/** The full path of a program on PATH, if it is there. */
export function onPath(program: string, env: NodeJS.ProcessEnv): string | undefined {
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((directory) => join(directory, program))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
