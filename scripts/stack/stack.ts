import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { health } from '#shared/health/contract.ts';
import {
  refuseExposedSandbox,
  sandboxWarning,
  serverVariables,
} from '#shared/server/server-env.ts';
import { z } from 'zod';
import { lockDataDir } from './data-dir.ts';
import { follow, rotateLogs, openLog } from './logs.ts';
import { startMongodb, type Mongodb } from './mongodb.ts';
import { SupervisedProcess, untilReady } from './supervised-process.ts';
import { freePort, isFree } from './ports.ts';
import { builtServer, SERVERS, type ServerName } from '../build/server-build.ts';
import { restartOnChange } from './restart-on-change.ts';

const ROOT = join(import.meta.dirname, '../..');
const READY_MS = 60_000;
/** How long the processes of a killed instance may take to release the port. */
const PREVIOUS_EXIT_MS = 10_000;

/** The file in the data directory of a running instance with its MongoDB URI, for `npm run seed`. */
export const URI_FILE = 'mongodb-uri';

export const PROCESSES = ['mongodb', 'sync-server', 'api', 'gateway'] as const;
export type ProcessName = (typeof PROCESSES)[number];

export interface StackSettings {
  /** The public port. */
  port: number;
  dataDir: string;
  /** The environment of the processes; their ports, secret and database are added. */
  env: NodeJS.ProcessEnv;
  /** Whether to run from source and restart the servers when it changes; by default, the build runs. */
  watch?: boolean;
  /** Cancels the start and stops all processes. */
  signal?: AbortSignal;
  /** Receives lines about progress and restarts. */
  log?(line: string): void;
}

/** The running product. A process that exits is restarted. */
export interface Stack {
  origin: string;
  /** The ports of the servers on this machine. */
  ports: { api: number; sync: number; internal: number };
  mongodbUri: string;
  mongodb: Mongodb['kind'];
  /** External services that are simulated, such as `google`. */
  sandboxProviders: string[];
  /** For the console, if strangers could use those. */
  warning: string | null;
  /** Stops all processes, in order. */
  stop(): Promise<void>;
}

/**
 * Starts MongoDB, the sync server, the API and the gateway, and waits until all are ready.
 * @throws when the directory or the port is in use, or a process does not start
 */
export async function startStack(settings: StackSettings): Promise<Stack> {
  const log = settings.log ?? (() => {});
  const origin = settings.env['PUBLIC_ORIGIN'] || `http://localhost:${settings.port}`;
  const warning = checkExposure({ ...settings.env, PUBLIC_ORIGIN: origin });
  const dataDir = await lockDataDir(settings.dataDir);
  const started: SupervisedProcess[] = [];
  const cleanups = [rotateLogs(dataDir.path)];
  let mongodb: Mongodb | undefined;

  async function stop(): Promise<void> {
    for (const cleanUp of cleanups) cleanUp();
    for (const each of started.toReversed()) await each.stop();
    dataDir.release();
  }

  function start(supervised: SupervisedProcess): Promise<void> {
    settings.signal?.throwIfAborted();
    started.push(supervised);
    return supervised.start();
  }

  const aborted = () => void stop();
  settings.signal?.addEventListener('abort', aborted, { once: true });
  try {
    await waitForPort(settings, dataDir.wasKilled);
    const startDatabase = async () => {
      mongodb = await startMongodb({ dataDir: dataDir.path, env: settings.env, log });
      return mongodb.child;
    };
    await start(new SupervisedProcess('mongodb', startDatabase, log));
    if (!mongodb) throw new Error('MongoDB did not start');

    writeFileSync(join(dataDir.path, URI_FILE), mongodb.uri, { mode: 0o600 });
    const ports = { sync: await freePort(), internal: await freePort(), api: await freePort() };
    const shared = {
      ...settings.env,
      MONGODB_URI: mongodb.uri,
      PUBLIC_ORIGIN: origin,
      SYNC_SECRET: settings.env['SYNC_SECRET'] ?? dataDir.syncSecret,
    };
    const inner = { ...shared, HOST: '127.0.0.1' };
    const make = (name: ServerName, env: NodeJS.ProcessEnv) => {
      const program = settings.watch ? fromSource(name) : builtServer(name);
      return new SupervisedProcess(name, () => startNode(name, program, env, dataDir.path), log);
    };
    const syncServer = make('sync-server', {
      ...inner,
      SYNC_PORT: String(ports.sync),
      SYNC_INTERNAL_PORT: String(ports.internal),
    });
    const api = make('api', {
      ...inner,
      API_PORT: String(ports.api),
      SYNC_INTERNAL_URL: `http://127.0.0.1:${ports.internal}`,
    });
    const gateway = make('gateway', {
      ...shared,
      PORT: String(settings.port),
      API_PORT: String(ports.api),
      SYNC_PORT: String(ports.sync),
    });
    if (settings.env['LOG_LEVEL'] === 'debug')
      for (const name of PROCESSES)
        follow(join(dataDir.path, 'logs', `${name}.log`), `[${name}]`, log);
    await Promise.all([start(syncServer), start(api)]);
    await start(gateway);
    if (settings.watch)
      for (const server of [api, syncServer])
        cleanups.push(restartOnChange(server, [join(ROOT, server.name), join(ROOT, 'shared')]));
    const sandboxProviders = await waitUntilHealthy(settings);
    return {
      origin,
      ports,
      mongodbUri: mongodb.uri,
      mongodb: mongodb.kind,
      sandboxProviders,
      warning: sandboxProviders.length > 0 ? warning : null,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    settings.signal?.removeEventListener('abort', aborted);
  }
}

/** In development, the gateway serves the client from source. */
const fromSource = (name: ServerName): Program => ({
  script: join(ROOT, name === 'gateway' ? 'gateway/dev.ts' : SERVERS[name]),
  execArgv: ['--import', 'tsx'],
});

interface Program {
  script: string;
  execArgv: string[];
}

async function startNode(
  name: ServerName,
  { script, execArgv }: Program,
  env: NodeJS.ProcessEnv,
  dataDir: string,
) {
  const log = openLog(dataDir, name);
  try {
    const child = fork(script, [], {
      execArgv,
      cwd: ROOT,
      env,
      stdio: ['ignore', log.fd, log.fd, 'ipc'],
      // In a process group of its own: Ctrl-C goes to the supervisor only, which stops the processes in order.
      detached: true,
    });
    await untilReady(child, once(child, 'message'), log.recentOutput);
    return child;
  } catch (error) {
    throw new Error(`Couldn't start ${name}: ${(error as Error).message}`, { cause: error });
  } finally {
    closeSync(log.fd);
  }
}

/**
 * Returns a warning if strangers can use sandbox providers.
 * @throws when they can and no variable allows it, or a variable is invalid
 */
function checkExposure(source: NodeJS.ProcessEnv): string | null {
  const env = z.object({ ...serverVariables, HOST: z.string().optional() }).safeParse(source);
  if (!env.success) throw new Error(z.prettifyError(env.error));
  refuseExposedSandbox(env.data);
  return sandboxWarning(env.data);
}

/** Returns an address at which the gateway can be reached from this machine. */
function hostOf(env: NodeJS.ProcessEnv): string {
  const host = env['HOST'];
  return !host || host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}

async function waitForPort({ port, env }: StackSettings, wasKilled: boolean): Promise<void> {
  const deadline = Date.now() + (wasKilled ? PREVIOUS_EXIT_MS : 0);
  while (!(await isFree(port, hostOf(env)))) {
    if (Date.now() >= deadline) throw new Error(`Port ${port} is in use. Set PORT to another one.`);
    await wait(100);
  }
}

/** Returns the sandbox providers that are in use. */
async function waitUntilHealthy({ port, env, signal }: StackSettings): Promise<string[]> {
  const deadline = Date.now() + READY_MS;
  let last = 'no answer';
  while (Date.now() < deadline) {
    signal?.throwIfAborted();
    try {
      const response = await fetch(`http://${hostOf(env)}:${port}/api${health.path}`);
      const body: unknown = await response.json();
      const { ready, missing, sandbox_providers } = health.answer.parse(body);
      if (ready) return sandbox_providers;
      last = `missing: ${missing.join(', ')}`;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await wait(100);
  }
  throw new Error(`Not ready within ${READY_MS / 1000} s (${last})`);
}
