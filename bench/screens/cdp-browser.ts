import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { CHROMIUM_FLAGS, findChromium } from '../../scripts/test/chromium.ts';

const PATIENCE_MS = 30_000;
/** How long a browser may settle after its start, because only our start is measured. */
const REST_MS = 1000;

/** The answer to a command of the DevTools protocol, as far as we need it. */
interface Answer {
  id?: number;
  error?: { message: string };
  result?: {
    sessionId?: string;
    targetInfos?: { targetId: string; type: string }[];
    result?: { value?: unknown };
    exceptionDetails?: { text: string };
  };
}

/** A browser of its own, driven by the Chrome DevTools Protocol (https://chromedevtools.github.io/devtools-protocol/). */
export interface BareBrowser {
  /** The endpoint through which others may control it, too. */
  port: number;
  /** Sends a command to its page. @throws the browser's error */
  send(method: string, params?: object): Promise<Answer['result']>;
  /** Evaluates an expression in its page, and awaits it if it is a promise. @throws its error */
  evaluate(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Starts a browser on a profile without Playwright, whose own scripts in the page take a slowed-down phone as long as ours do:
 * for measuring times that are short.
 */
export async function openBare(
  profile: string,
  viewport: { width: number; height: number },
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
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const exited = once(child, 'exit');
  const address = await addressOf(child.stderr);
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.on('message', (data) => {
    const answer = JSON.parse(String(data)) as Answer;
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  let last = 0;
  const command = async (method: string, params: object = {}, sessionId?: string) => {
    const id = ++last;
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params, sessionId }));
    const { error, result } = await answered;
    waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const targets = (await command('Target.getTargets'))?.targetInfos;
  const targetId = targets?.find(({ type }) => type === 'page')?.targetId;
  const attached = await command('Target.attachToTarget', { targetId, flatten: true });
  const send = (method: string, params?: object) => command(method, params, attached?.sessionId);
  await send('Emulation.setDeviceMetricsOverride', {
    ...viewport,
    screenWidth: viewport.width,
    screenHeight: viewport.height,
    deviceScaleFactor: 1,
    mobile: false,
  });
  await wait(REST_MS);
  return {
    port: Number(new URL(address).port),
    send,
    async evaluate(expression) {
      const answer = await send('Runtime.evaluate', {
        expression,
        returnByValue: true,
        awaitPromise: true,
      });
      if (answer?.exceptionDetails) throw new Error(answer.exceptionDetails.text);
      return answer?.result?.value;
    },
    async close() {
      const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
      socket.send(JSON.stringify({ id: ++last, method: 'Browser.close' }));
      await exited;
      clearTimeout(late);
    },
  };
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
