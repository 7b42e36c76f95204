import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { CHROMIUM_FLAGS, findChromium } from '../../scripts/test/chromium.ts';
import { endWithBench } from '../location/cleanup.ts';

const PATIENCE_MS = 30_000;
/** How long a command may take, on a processor that is six times slower and has other work. */
const ANSWERS_WITHIN_MS = 60_000;
/** How long a browser settles after its start, because only our start is measured. */
const REST_MS = 1000;
const SAID_OF_A_COMMAND = 100;
/** How long the processes of a killed browser may take to end. */
const ENDS_WITHIN_MS = 5_000;
const ENDS_EVERY_MS = 10;

/** The answer to a command of the DevTools protocol, as far as we need it. */
interface Answer {
  id?: number;
  error?: { message: string };
  result?: {
    sessionId?: string;
    targetId?: string;
    targetInfos?: { targetId: string; type: string }[];
    result?: { value?: unknown };
    exceptionDetails?: { text: string; exception?: { description?: string } };
  };
}

/** A browser of its own, driven by the Chrome DevTools Protocol (https://chromedevtools.github.io/devtools-protocol/). */
export interface BareBrowser {
  /** The endpoint through which others may control it, too. */
  port: number;
  /** Sends a command to its page. @throws the browser's error, or `Unanswered` */
  send(method: string, params?: object): Promise<Answer['result']>;
  /** Evaluates an expression in its page, and awaits it if it is a promise. @throws its error */
  evaluate(expression: string): Promise<unknown>;
  /** Replaces its page, which may have crashed, by an empty one. */
  renewPage(): Promise<void>;
  close(): Promise<void>;
  /** Ends it at once, as a system without memory does. */
  kill(): Promise<void>;
}

/** A page or browser hangs. */
export class Unanswered extends Error {}

/**
 * Starts a browser on a profile without Playwright, whose own scripts in the page take a slowed-down phone as long as ours do:
 * for measuring times that are short.
 * @param restMs how long it may settle first
 */
export async function openBare(
  profile: string,
  viewport: { width: number; height: number },
  restMs = REST_MS,
): Promise<BareBrowser> {
  const child = spawn(
    findChromium(process.env) ?? 'chromium',
    [
      ...CHROMIUM_FLAGS,
      `--user-data-dir=${profile}`,
      `--window-size=${viewport.width},${viewport.height}`,
      '--remote-debugging-port=0',
      'about:blank',
    ],
    // The program may be a script that starts the browser, which would survive it.
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  const killAll = () => isSignalled(child, 'SIGKILL');
  endWithBench(child, killAll);
  const exited = once(child, 'exit');
  const late = setTimeout(killAll, PATIENCE_MS);
  const address = await addressOf(child.stderr).finally(() => clearTimeout(late));
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const waiting = new Map<number, (answer: Answer) => void>();
  // Its end, also one by `kill`, fails what waits for it.
  socket
    .on('error', () => {})
    .on('close', () => {
      for (const answer of waiting.values()) answer({ error: { message: 'the browser ended' } });
    });
  socket.on('message', (data) => {
    const answer = JSON.parse(String(data)) as Answer;
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  let last = 0;
  const command = async (method: string, params: object = {}, sessionId?: string) => {
    if (socket.readyState !== WebSocket.OPEN) throw new Error(`${method}: the browser ended`);
    const id = ++last;
    const answered = new Promise<Answer>((resolve, reject) => {
      const timer = setTimeout(() => {
        const what = `${method} ${JSON.stringify(params).slice(0, SAID_OF_A_COMMAND)}`;
        reject(new Unanswered(`${what}: no answer in ${ANSWERS_WITHIN_MS / 1_000} seconds`));
      }, ANSWERS_WITHIN_MS).unref();
      waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
    });
    socket.send(JSON.stringify({ id, method, params, sessionId }));
    const { error, result } = await answered.finally(() => waiting.delete(id));
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const targets = (await command('Target.getTargets'))?.targetInfos;
  let page = targets?.find(({ type }) => type === 'page')?.targetId;
  let session: string | undefined;
  const send = (method: string, params?: object) => command(method, params, session);
  const attach = async () => {
    const attached = await command('Target.attachToTarget', { targetId: page, flatten: true });
    session = attached?.sessionId;
    await send('Emulation.setDeviceMetricsOverride', {
      ...viewport,
      screenWidth: viewport.width,
      screenHeight: viewport.height,
      deviceScaleFactor: 1,
      mobile: false,
    });
  };
  await attach();
  await wait(restMs);
  return {
    port: Number(new URL(address).port),
    send,
    async evaluate(expression) {
      const answer = await send('Runtime.evaluate', {
        expression,
        returnByValue: true,
        awaitPromise: true,
      });
      const { exceptionDetails: failed } = answer ?? {};
      if (failed) throw new Error(failed.exception?.description ?? failed.text);
      return answer?.result?.value;
    },
    async renewPage() {
      const before = page;
      page = (await command('Target.createTarget', { url: 'about:blank' }))?.targetId;
      await attach();
      await command('Target.closeTarget', { targetId: before });
    },
    async close() {
      const tooLate = setTimeout(killAll, PATIENCE_MS);
      if (socket.readyState === WebSocket.OPEN)
        socket.send(JSON.stringify({ id: ++last, method: 'Browser.close' }));
      await exited;
      clearTimeout(tooLate);
    },
    async kill() {
      killAll();
      await exited;
      // Its processes release the profile one after the other.
      const end = Date.now() + ENDS_WITHIN_MS;
      while (isSignalled(child, 0) && Date.now() < end) await wait(ENDS_EVERY_MS);
    },
  };
}

/** Signals a program and all that it started. @returns whether any of them was there */
function isSignalled({ pid }: ChildProcess, signal: 'SIGKILL' | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/** Returns the address on which the browser listens, from its output. */
async function addressOf(stderr: NodeJS.ReadableStream): Promise<string> {
  let said = '';
  for await (const chunk of stderr) {
    said += String(chunk);
    const [, address] = /DevTools listening on (\S+)/.exec(said) ?? [];
    if (address) return address;
  }
  throw new Error(`the browser did not start: ${said}`);
}
