import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../scripts/stack/ports.ts';
import { onPath } from '../../scripts/stack/programs.ts';
import { PHONE, type Driver, type Engine } from './engine.ts';
import { ELEMENT, send, WebDriverSession } from './webdriver.ts';

const START_MS = 60_000;
/** Runs in the page: empties a field as a person does. */
const EMPTY = `(field) => {
  field.focus();
  field.select();
  document.execCommand('delete');
}`;

/** WebKitGTK by its WebDriver: one process of the driver for each device, because it has one session. */
export const webkit: Engine = {
  name: 'WebKit',
  missing: () => [
    ...(onPath('WebKitWebDriver', process.env) ? [] : ['webkit2gtk-driver']),
    ...(onPath('Xvfb', process.env) ? [] : ['xvfb']),
    ...(onPath('xauth', process.env) ? [] : ['xauth']),
  ],

  async open(): Promise<Driver> {
    const port = await freePort();
    const screen = ['--server-args=-screen 0 1280x1024x24', 'WebKitWebDriver', `--port=${port}`];
    // A group of its own, which ends with the driver, Xvfb and the browser.
    const child = spawn('xvfb-run', ['--auto-servernum', ...screen], {
      detached: true,
      stdio: 'ignore',
      // Its sandbox can't be used by root; the pages are ours.
      env: { ...process.env, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1', GTK_A11Y: 'none' },
    });
    try {
      const origin = `http://127.0.0.1:${port}`;
      await untilReady(origin, child);
      // Without `webkitgtk:browserOptions`, the driver starts WebKitGTK's MiniBrowser with `--automation`.
      const session = await WebDriverSession.open(origin, { acceptInsecureCerts: true });
      await session.command('POST', '/window/rect', PHONE);
      return driverOf(session, child);
    } catch (error) {
      await end(child);
      throw error;
    }
  },
};

async function untilReady(origin: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const status = await send(`${origin}/status`, 'GET').catch(() => null);
    if (status && (status as { ready: boolean }).ready) return;
    await wait(100);
  }
  throw new Error(`WebKitWebDriver didn't start (exit code ${child.exitCode}).`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGTERM');
  await ended;
}

function driverOf(session: WebDriverSession, child: ChildProcess): Driver {
  const withElement =
    (act: (path: string) => Promise<unknown>) =>
    async ({ source, args }: { source: string; args: unknown[] }) => {
      const path = await session.element(source, args);
      if (path) await act(path);
      return path !== null;
    };
  return {
    goto: async (url) => void (await session.command('POST', '/url', { url })),
    reload: async () => void (await session.command('POST', '/refresh')),
    run: ({ source, args }) => session.run(source, args),
    click: withElement((path) => session.command('POST', `${path}/click`)),
    type: (script, text) =>
      withElement(async (path) => {
        // React renders a field again that the driver's own command has emptied.
        await session.run(EMPTY, [{ [ELEMENT]: path.split('/').at(-1) }]);
        await session.command('POST', `${path}/value`, { text });
      })(script),
    choose: (script, file) =>
      withElement((path) => session.command('POST', `${path}/value`, { text: file }))(script),
    async screenshot() {
      return Buffer.from((await session.command('GET', '/screenshot')) as string, 'base64');
    },
    async close() {
      await session.close().catch(() => {});
      await end(child);
    },
  };
}
