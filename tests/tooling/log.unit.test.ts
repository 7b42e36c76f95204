import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';

test('a server goes on when its log is on a full disk', async () => {
  const script = `
    const { openLog } = await import('#shared/server/log.ts');
    const { runServer } = await import('#shared/server/run-server.ts');
    const { log } = openLog('test', 'info');
    await runServer(async () => ({ close: async () => {} }), () => ({}));
    const lines = setInterval(() => { log.info('x'.repeat(10_000)); console.error('also to stderr'); }, 10);
    setTimeout(() => { clearInterval(lines); process.send('alive'); process.disconnect(); }, 700);
  `;
  // Each write to /dev/full fails with ENOSPC.
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', full, full, 'ipc'],
  });
  closeSync(full);
  const messages: unknown[] = [];
  child.on('message', (message) => messages.push(message));
  const [code] = await once(child, 'exit');
  expect(messages).toEqual([{ ready: true }, 'alive']);
  expect(code).toBe(0);
});
