import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { socketPath } from './data-dir.ts';
import { nodeWithNewLibc } from './fetch-libc.ts';
import { openLog, type Log } from './logs.ts';
import { freePort, isFree } from './ports.ts';
import { onPath, spawnProgram } from './programs.ts';
import { stopChild, untilReady } from './supervised-process.ts';

export interface Mongodb {
  uri: string;
  /** The server at MONGODB_URI, a `mongod` process, or the embedded engine. */
  kind: 'configured' | 'mongod' | 'embedded';
  /** Null if MONGODB_URI is set. */
  child: ChildProcess | null;
  /** Stops the process that was started here after it has finished its writes. */
  close(): Promise<void>;
}

export interface MongodbSettings {
  /** The database is in `<dataDir>/mongodb`. Its address is the same at each start. */
  dataDir: string;
  env: NodeJS.ProcessEnv;
  /** Receives lines of progress. */
  log?(line: string): void;
}

/** How long a previous process may take to exit. */
const PREVIOUS_EXIT_MS = 20_000;

/**
 * Provides MongoDB: the server at MONGODB_URI, else a `mongod` on PATH, else the embedded engine from npm. Decision 1.
 * @throws when it does not start
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
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `Couldn't start MongoDB with ${mongod ?? 'the embedded engine'}: ${reason}\n` +
        'Set MONGODB_URI to a running server, or install mongod on PATH. Without both, the embedded engine is used.',
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
      `${command} starts with an empty database. Data of the embedded engine is available when mongod isn't on PATH.`,
    );
  mkdirSync(data, { recursive: true });
  await waitForExit(join(data, 'mongod.lock'));
  const port = await stablePort(join(directory, 'port'));
  const listening = ['--bind_ip', '127.0.0.1', '--port', String(port), '--nounixsocket'];
  const child = spawnProgram([command, '--dbpath', data, ...listening], settings.env, log);
  const uri = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 120_000 });
  try {
    await untilReady(child, client.db('admin').command({ ping: 1 }), log.recentOutput);
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
  await untilReady(child, once(child, 'message'), log.recentOutput);
  const uri = `mongodb://${encodeURIComponent(socket)}/?directConnection=true`;
  return { uri, kind: 'embedded', child, close: () => stopChild(child) };
}

/** Waits for a previous mongod, which closes its files when its parent was killed. */
async function waitForExit(lockFile: string): Promise<void> {
  const deadline = Date.now() + PREVIOUS_EXIT_MS;
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

/** Returns a free port: the one of the last start, if it is still free. */
async function stablePort(file: string): Promise<number> {
  const last = Number(await readFile(file, 'utf8').catch(() => ''));
  const port = last > 0 && (await isFree(last)) ? last : await freePort();
  await writeFile(file, String(port));
  return port;
}
