import { ShownError } from '../http/shown-error.ts';

export interface Recorder {
  /** Ends the recording and passes it to `done`. */
  stop: () => void;
  /** Discards the recording. */
  cancel: () => void;
}

/** Whether this browser can record; permission is requested later. */
export const canRecord = (): boolean =>
  typeof MediaRecorder !== 'undefined' && Boolean(navigator.mediaDevices?.getUserMedia);

/** What all current browsers play, first. */
const KINDS = ['audio/mp4;codecs=mp4a.40.2', 'audio/webm;codecs=opus', 'audio/ogg;codecs=opus'];
/** Enough for speech: a minute is a quarter of a megabyte. */
const SPEECH_BITS_PER_SECOND = 32_000;

/** How to record speech that is sent as it is. */
export const forSpeech = (): MediaRecorderOptions => ({
  mimeType: KINDS.find((kind) => MediaRecorder.isTypeSupported(kind)),
  audioBitsPerSecond: SPEECH_BITS_PER_SECOND,
});

const NOT_FOUND = 'We can’t find a microphone. Connect one, and try again.';
/** What to do, by the name of what `getUserMedia` throws. */
const PROBLEMS: Record<string, string> = {
  NotAllowedError:
    'The microphone is blocked. Allow it for this site in your browser’s settings, and try again.',
  NotReadableError: 'Another app may be using the microphone. Close that app, and try again.',
};

/**
 * Records from the microphone, for at most some seconds. The browser asks for permission.
 * @param done receives the recording, and how many seconds were recorded
 * @throws with a message for the user if there is no microphone or it isn't allowed
 */
export async function record(
  maxSeconds: number,
  done: (recording: Blob, seconds: number) => void,
  options: MediaRecorderOptions = {},
): Promise<Recorder> {
  let stream: MediaStream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  } catch (cause) {
    const name = cause instanceof DOMException ? cause.name : '';
    throw new ShownError(PROBLEMS[name] ?? NOT_FOUND, { cause });
  }
  const recorder = new MediaRecorder(stream, options);
  const parts: Blob[] = [];
  let isCanceled = false;
  const timer = setTimeout(() => stop(), maxSeconds * 1000);
  let startedAt = performance.now();
  const stop = () => {
    clearTimeout(timer);
    if (recorder.state !== 'inactive') recorder.stop();
  };
  recorder.ondataavailable = ({ data }) => parts.push(data);
  recorder.onstop = () => {
    for (const track of stream.getTracks()) track.stop();
    const seconds = (performance.now() - startedAt) / 1000;
    if (!isCanceled) done(new Blob(parts, { type: recorder.mimeType }), seconds);
  };
  recorder.onstart = () => {
    startedAt = performance.now();
  };
  recorder.start();
  return {
    stop,
    cancel: () => {
      isCanceled = true;
      stop();
    },
  };
}
