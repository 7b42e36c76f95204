const JUMP_MS = 10 * 60_000;

/** Runs in a server before its own code. The signal changes the wall clock, or changes it back. */
const PRELOADED = `
  const RealDate = Date;
  let offset = 0;
  process.on('SIGUSR2', () => {
    offset = offset === 0 ? Number(process.env.CLOCK_JUMP_MS) : 0;
  });
  globalThis.Date = class Date extends RealDate {
    constructor(...args) {
      if (args.length === 0) super(RealDate.now() + offset);
      else super(...args);
    }
    static now() {
      return RealDate.now() + offset;
    }
  };
`;

/** Returns the environment of a server whose clock can jump: ahead for the API, back for the sync server. */
export const withJumpingClock = (name: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...env,
  NODE_OPTIONS: `${env['NODE_OPTIONS'] ?? ''} --import=data:text/javascript,${encodeURIComponent(PRELOADED)}`,
  CLOCK_JUMP_MS: String(name.startsWith('sync-server') ? -JUMP_MS : JUMP_MS),
});

/** Lets the clock of a process jump. @returns sets it right again */
export function jumpClock({ pid }: { pid: number }): () => void {
  process.kill(pid, 'SIGUSR2');
  return () => void process.kill(pid, 'SIGUSR2');
}
