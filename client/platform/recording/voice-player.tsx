import { Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

/** Formats a length: "0:07". */
export const clockWords = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** Far behind the end: browsers then find out how long a recording is, which doesn't say so itself. */
const BEYOND_SECONDS = 1e7;

const SEEKS_WITHIN_MS = 2_000;
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** How many seconds a key moves. */
const STEPS: Record<string, number | undefined> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
};

/** What is playing: one at a time. */
let playing: HTMLAudioElement | null = null;

/** Resolves when the recording can be played from any place. @throws if this browser can't play it */
async function ready(source: string): Promise<HTMLAudioElement> {
  const audio = new Audio();
  const next = (event: string) =>
    new Promise<void>((resolve, reject) => {
      audio.addEventListener(event, () => resolve(), { once: true });
      audio.addEventListener('error', () => reject(new Error('not playable')), { once: true });
    });
  const loaded = next('loadedmetadata');
  audio.preload = 'auto';
  audio.src = source;
  // Phones load nothing by themselves.
  audio.load();
  await loaded;
  if (audio.duration === Infinity) {
    for (const to of [BEYOND_SECONDS, 0]) {
      const sought = Promise.race([next('seeked'), wait(SEEKS_WITHIN_MS)]);
      audio.currentTime = to;
      await sought;
    }
  }
  return audio;
}

/** Plays a recording: a button, and a slider that arrow keys move, too. */
export function VoicePlayer({
  load,
  seconds,
  label,
}: {
  /** Returns the recording, or its URL here; called when it is first played. @throws if it isn't here */
  load: () => Promise<Blob | string>;
  /** As far as it is known before it is played. */
  seconds: number | null;
  /** What the button plays. */
  label: string;
}) {
  const audio = useRef<HTMLAudioElement | null>(null);
  const url = useRef<string | null>(null);
  const isOver = useRef(false);
  const [isPlaying, setPlaying] = useState(false);
  const [isLoading, setLoading] = useState(false);
  const [at, setAt] = useState(0);
  const [measured, setMeasured] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    isOver.current = false;
    return () => {
      isOver.current = true;
      audio.current?.pause();
      if (url.current) URL.revokeObjectURL(url.current);
    };
  }, []);

  async function open(): Promise<HTMLAudioElement | null> {
    if (audio.current) return audio.current;
    setLoading(true);
    setProblem(null);
    try {
      const recording = await load().catch(() => null);
      if (!recording) {
        setProblem('It isn’t on this device yet. Connect to the internet to load it.');
        return null;
      }
      if (typeof recording !== 'string') url.current = URL.createObjectURL(recording);
      const opened = await ready(typeof recording === 'string' ? recording : (url.current ?? ''));
      if (isOver.current) return null;
      opened.ontimeupdate = () => setAt(opened.currentTime);
      opened.onplay = () => setPlaying(true);
      opened.onpause = () => setPlaying(false);
      opened.onended = () => {
        opened.currentTime = 0;
        setAt(0);
      };
      // Such as when it went from this device to the server: the next press loads it again.
      opened.onerror = () => {
        audio.current = null;
        setPlaying(false);
      };
      // A slow device finds out how long it is after it can be played.
      const measure = () => Number.isFinite(opened.duration) && setMeasured(opened.duration);
      opened.ondurationchange = measure;
      measure();
      audio.current = opened;
      return opened;
    } catch {
      setProblem('This browser can’t play this recording.');
      return null;
    } finally {
      setLoading(false);
    }
  }

  async function toggle() {
    if (isPlaying) return audio.current?.pause();
    const opened = await open();
    if (!opened) return;
    if (playing !== opened) playing?.pause();
    playing = opened;
    await opened.play().catch(() => setProblem('Tap Play again.'));
  }

  async function move(to: number) {
    setAt(to);
    const opened = await open();
    if (opened) opened.currentTime = to;
  }

  const length = measured ?? seconds ?? 0;
  const Icon = isPlaying ? Pause : Play;
  return (
    <div className="flex max-w-full min-w-0 flex-col">
      <div className="flex items-center gap-1">
        <button
          type="button"
          aria-label={`${isPlaying ? 'Pause' : 'Play'} ${label}`}
          aria-busy={isLoading}
          onClick={() => void toggle()}
          className="-ml-1.5 flex size-11 shrink-0 items-center justify-center rounded-full"
        >
          <Icon aria-hidden className="size-6 fill-current" />
        </button>
        <input
          type="range"
          aria-label={`Position in ${label}`}
          aria-valuetext={`${clockWords(at)} of ${clockWords(length)}`}
          min={0}
          max={length}
          step="any"
          value={Math.min(at, length)}
          onKeyDown={(event) => {
            const by = STEPS[event.key];
            if (by === undefined) return;
            event.preventDefault();
            void move(Math.min(length, Math.max(0, at + by)));
          }}
          onChange={(event) => void move(Number(event.target.value))}
          className="h-11 w-28 min-w-0 cursor-pointer accent-current sm:w-40"
        />
        <span className="w-10 shrink-0 text-right text-sm tabular-nums">
          {(isPlaying || at > 0 || length > 0) && clockWords(isPlaying || at > 0 ? at : length)}
        </span>
      </div>
      <p role="status" className="text-sm empty:hidden">
        {problem}
      </p>
    </div>
  );
}
