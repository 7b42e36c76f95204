import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';

/** The part of the DevTools protocol that is used here. */
interface Commands {
  'Profiler.enable': { params: object; result: object };
  'Profiler.startPreciseCoverage': {
    params: { callCount: boolean; detailed: boolean };
    result: object;
  };
  'Profiler.takePreciseCoverage': { params: object; result: { result: ScriptCoverage[] } };
}

/** Functions and ranges come before those in them. */
interface ScriptCoverage {
  url: string;
  functions: {
    ranges: { startOffset: number; endOffset: number; count: number }[];
  }[];
}

const OPENS_WITHIN_MS = 5_000;

/**
 * Which lines of a running program have run, read through its inspector: V8 counts them, and the source map says of which source they
 * are. The program must have been started with `--inspect-port`.
 */
export class LineCoverage {
  readonly #socket: WebSocket;
  readonly #url: string;
  /** Of the program, in characters. */
  readonly #length: number;
  /** Where the watched lines begin in it: their first characters that are no spaces. */
  readonly #lines: readonly number[];
  readonly #reached = new Set<number>();
  readonly #answers = new Map<number, (result: never) => void>();
  #lastId = 0;

  private constructor(socket: WebSocket, url: string, length: number, lines: readonly number[]) {
    this.#socket = socket;
    this.#url = url;
    this.#length = length;
    this.#lines = lines;
    socket.on('message', (data: Buffer) => this.#receive(data));
  }

  /**
   * @param program the bundled program that the process runs; its source map is next to it
   * @param isWatched whether a source counts, by its path
   * @throws when the inspector does not open
   */
  static async open(
    { pid, port }: { pid: number; port: number },
    program: URL,
    isWatched: (source: string) => boolean,
  ): Promise<LineCoverage> {
    // Node opens its inspector on this signal.
    process.kill(pid, 'SIGUSR1');
    const socket = new WebSocket(await addressOf(port));
    await once(socket, 'open');
    const path = fileURLToPath(program);
    const code = await readFile(path, 'utf8');
    const lines = await linesOf(code, `${path}.map`, isWatched);
    const coverage = new LineCoverage(socket, program.href, code.length, lines);
    await coverage.#send('Profiler.enable', {});
    await coverage.#send('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    return coverage;
  }

  /** Returns how many lines ran for the first time since the last call. */
  async update(): Promise<number> {
    const { result } = await this.#send('Profiler.takePreciseCoverage', {});
    const before = this.#reached.size;
    for (const { functions } of result.filter(({ url }) => url === this.#url)) {
      const hasRun = new Uint8Array(this.#length);
      for (const { ranges } of functions)
        for (const { startOffset, endOffset, count } of ranges)
          hasRun.fill(Math.min(count, 1), startOffset, endOffset);
      for (const line of this.#lines) if (hasRun[line]) this.#reached.add(line);
    }
    return this.#reached.size - before;
  }

  /** Returns how many lines of the sources have run, and how many there are. */
  get total(): { reached: number; lines: number } {
    return { reached: this.#reached.size, lines: this.#lines.length };
  }

  close(): void {
    this.#socket.close();
  }

  async #send<Method extends keyof Commands>(
    method: Method,
    params: Commands[Method]['params'],
  ): Promise<Commands[Method]['result']> {
    const id = ++this.#lastId;
    const answered = new Promise<Commands[Method]['result']>((resolve) =>
      this.#answers.set(id, resolve),
    );
    this.#socket.send(JSON.stringify({ id, method, params }));
    return answered;
  }

  #receive(data: Buffer): void {
    const { id, result } = JSON.parse(data.toString()) as { id: number; result: never };
    this.#answers.get(id)?.(result);
    this.#answers.delete(id);
  }
}

/** Waits for the inspector at a port, and returns its WebSocket address. */
async function addressOf(port: number): Promise<string> {
  for (const end = performance.now() + OPENS_WITHIN_MS; ; await wait(100))
    try {
      const response = await fetch(`http://127.0.0.1:${port}/json/list`);
      const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
      return target!.webSocketDebuggerUrl;
    } catch (error) {
      if (performance.now() > end) throw error;
    }
}

async function linesOf(
  code: string,
  mapPath: string,
  isWatched: (source: string) => boolean,
): Promise<number[]> {
  const payload: unknown = JSON.parse(await readFile(mapPath, 'utf8'));
  const map = new SourceMap(payload as ConstructorParameters<typeof SourceMap>[0]);
  const lines: number[] = [];
  let start = 0;
  for (const [number, text] of code.split('\n').entries()) {
    const column = text.search(/\S/);
    const { originalSource = '' }: { originalSource?: string } =
      column === -1 ? {} : map.findEntry(number, column);
    if (isWatched(originalSource)) lines.push(start + column);
    start += text.length + 1;
  }
  return lines;
}
