import { fork, spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { nodeWithNewLibc } from './newer-libc.ts';

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
  /** Where a started server writes what it has to say. */
  stdio?: StdioOptions;
  /** One line of progress, when something takes long. */
  log?(line: string): void;
}

const START_MS = 120_000;
const CLOSE_MS = 20_000;

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
  const mongod = onPath('mongod', settings.env);
  if (mongod) return startMongod(mongod, directory, settings);
  try {
    return await startEmbedded(directory, settings);
  } catch (error) {
    throw new Error(
      'MongoDB was not found. There are three ways to have it: set MONGODB_URI to a running server, put `mongod` on PATH, ' +
        `or let the embedded engine start, which failed here: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

async function startMongod(
  command: string,
  directory: string,
  settings: MongodbSettings,
): Promise<Mongodb> {
  const data = join(directory, 'mongod');
  mkdirSync(data, { recursive: true });
  const port = await keptPort(join(directory, 'port'));
  const args = [
    '--dbpath',
    data,
    '--bind_ip',
    '127.0.0.1',
    '--port',
    String(port),
    '--nounixsocket',
  ];
  // mongod does not notice that its parent is gone; the kernel tells it to.
  const setpriv = process.platform === 'linux' && onPath('setpriv', settings.env);
  const child = spawn(
    setpriv || command,
    setpriv ? ['--pdeathsig', 'TERM', '--', command, ...args] : args,
    {
      stdio: settings.stdio ?? 'ignore',
      env: settings.env,
      detached: true,
    },
  );
  await answering(child, port);
  return started('mongod', `mongodb://127.0.0.1:${port}/?directConnection=true`, child);
}

async function startEmbedded(directory: string, settings: MongodbSettings): Promise<Mongodb> {
  const node = await nodeWithNewLibc(settings.log ?? (() => {}));
  const data = join(directory, 'embedded');
  const socket = socketFor(data);
  const stdio = settings.stdio ?? ['ignore', 'ignore', 'pipe'];
  const child = fork(join(import.meta.dirname, 'embedded-mongodb.ts'), [data, socket], {
    execPath: node.execPath,
    execArgv: [...node.execArgv, '--import', 'tsx'],
    cwd: join(import.meta.dirname, '..'),
    env: settings.env,
    stdio: [...(Array.isArray(stdio) ? stdio : [stdio, stdio, stdio]), 'ipc'],
    detached: true,
  });
  let said = '';
  child.stderr
    ?.setEncoding('utf8')
    .on('data', (text: string) => (said = (said + text).slice(-2_000)));
  await settled(
    child,
    () => said,
    (done) => child.once('message', done),
  );
  return started(
    'embedded',
    `mongodb://${encodeURIComponent(socket)}/?directConnection=true`,
    child,
  );
}

/**
 * Where the engine of a data directory listens. Socket paths may have 107 characters at most, so it is
 * not in the directory itself; the folder is this user's alone.
 */
function socketFor(directory: string): string {
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  return join(tmpdir(), `leashwise-${userInfo().uid}`, `${name}.sock`);
}

function started(kind: 'mongod' | 'embedded', uri: string, child: ChildProcess): Mongodb {
  return { uri, kind, child, close: () => stopChild(child) };
}

/** Ends a child with SIGTERM, and with SIGKILL when it takes longer than `ms`. */
export async function stopChild(child: ChildProcess, ms = CLOSE_MS): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((done) => child.once('exit', () => done()));
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  child.kill('SIGTERM');
  await gone;
  clearTimeout(timer);
}

/** Waits for `ready`, unless the child ends first or takes too long. */
async function settled(
  child: ChildProcess,
  said: () => string,
  ready: (done: () => void) => void,
): Promise<void> {
  await new Promise<void>((done, failed) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      failed(new Error(`it did not answer within ${START_MS / 1000} s`));
    }, START_MS);
    const settle = (then: () => void) => {
      clearTimeout(timer);
      child.off('exit', ended);
      then();
    };
    const ended = (code: number | null, signal: string | null) =>
      settle(() => failed(new Error(`it ended with ${signal ?? code}. ${said().trim()}`.trim())));
    child.once('exit', ended);
    child.once('error', (error) => settle(() => failed(error)));
    ready(() => settle(done));
  });
}

async function answering(child: ChildProcess, port: number): Promise<void> {
  const { MongoClient } = await import('mongodb');
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: START_MS,
  });
  try {
    await settled(
      child,
      () => '',
      (done) =>
        void client
          .db('admin')
          .command({ ping: 1 })
          .then(done, () => {}),
    );
  } finally {
    await client.close();
  }
}

/** A free port, the same one at every start as long as nobody else has taken it. */
async function keptPort(file: string): Promise<number> {
  const kept = Number(await readFile(file, 'utf8').catch(() => ''));
  const port = (kept > 0 && (await freePort(kept))) || (await freePort(0));
  await writeFile(file, String(port));
  return port;
}

/** @returns the port when it is free on loopback (any free one for 0), else 0 */
export function freePort(port = 0): Promise<number> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(0));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** The full path of a program on PATH, if it is there. */
export function onPath(program: string, env: NodeJS.ProcessEnv): string | undefined {
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((directory) => join(directory, program))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
