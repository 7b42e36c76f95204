// @vitest-environment jsdom
import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { VoicePlayer } from '../../../client/platform/recording/voice-player.tsx';
import { renderScreen } from '../../render-screen.tsx';

test('shows how long a recording is, when a slow device finds that out after the player is ready', async () => {
  const made: SlowAudio[] = [];
  /** Knows its length only later, and never says that it has moved. */
  class SlowAudio extends EventTarget {
    duration = Infinity;
    currentTime = 0;
    src = '';
    preload = '';
    ondurationchange = () => {};
    load() {
      made.push(this);
      queueMicrotask(() => this.dispatchEvent(new Event('loadedmetadata')));
    }
    play = () => Promise.resolve();
    pause() {}
  }
  await renderScreen(
    <VoicePlayer load={() => Promise.resolve('/note.webm')} seconds={2} label="a note" />,
  );
  vi.stubGlobal('Audio', SlowAudio);
  const slider = document.querySelector<HTMLInputElement>('input[type=range]');
  await act(async () => {
    document.querySelector('button')?.click();
    await vi.advanceTimersByTimeAsync(5_000);
  });
  expect(slider?.max).toBe('2');
  await act(async () => Object.assign(made[0]!, { duration: 1.7 }).ondurationchange());
  expect(slider?.max).toBe('1.7');
});
