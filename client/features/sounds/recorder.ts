import { SOUND_MAX_SECONDS } from '#shared/sounds/rules.ts';
import { ShownError } from '../../platform/http/shown-error.ts';

export interface Recorder {
  /** Ends the recording and passes it to `done`. */
  stop: () => void;
  /** Discards the recording. */
  cancel: () => void;
}

/** Whether this browser can record; permission is requested later. */
export const canRecord = (): boolean =>
  typeof MediaRecorder !== 'undefined' && Boolean(navigator.mediaDevices?.getUserMedia);

/**
 * Records from the microphone, up to the maximum length of a sound. The browser asks for permission.
 * @throws with a message for the user if there is no microphone or it isn't allowed
 */
export async function record(done: (recording: Blob) => void): Promise<Recorder> {
  let stream: MediaStream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  } catch (cause) {
    const isDenied = cause instanceof DOMException && cause.name === 'NotAllowedError';
    throw new ShownError(
      isDenied
        ? 'Microphone access is blocked. Check your browser’s settings for this site.'
        : 'No microphone found.',
      { cause },
    );
  }
  const recorder = new MediaRecorder(stream);
  const parts: Blob[] = [];
  let isCanceled = false;
  const timer = setTimeout(() => stop(), SOUND_MAX_SECONDS * 1000);
  const stop = () => {
    clearTimeout(timer);
    if (recorder.state !== 'inactive') recorder.stop();
  };
  recorder.ondataavailable = ({ data }) => parts.push(data);
  recorder.onstop = () => {
    for (const track of stream.getTracks()) track.stop();
    if (!isCanceled) done(new Blob(parts, { type: recorder.mimeType }));
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
