import { HOUR_MS } from '#shared/time.ts';
import { ValueStore } from '../store.ts';
import { TAKE_OVER } from './service-worker-messages.ts';

const CHECK_EVERY_MS = HOUR_MS;

let waiting: ServiceWorker | null = null;
let isAsked = false;
/** Whether a newer version is waiting for a reload of this page. */
export const updateReady = new ValueStore(false);

function announce(worker: ServiceWorker | null): void {
  waiting = worker;
  updateReady.set(true);
}

/**
 * Registers the service worker, which caches the app so that it opens offline. Called only behind sign-in and when the page
 * is idle, so that it costs visitors of the landing page nothing.
 */
export function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  const wasControlled = serviceWorker.controller !== null;
  serviceWorker.addEventListener('controllerchange', () => {
    if (isAsked) location.reload();
    else if (wasControlled) announce(null);
  });
  whenIdle(() => {
    serviceWorker
      .register('/service-worker.js')
      .then(watch)
      .catch((error: unknown) => console.warn('Failed to cache the app on this device', error));
  });
}

function watch(registration: ServiceWorkerRegistration): void {
  const check = () => {
    if (registration.waiting && navigator.serviceWorker.controller) announce(registration.waiting);
  };
  check();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', check);
  });
  setInterval(() => {
    void registration.update().catch(() => null);
  }, CHECK_EVERY_MS);
}

function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 5_000 });
  else setTimeout(work, 1_000);
}

/** Called when another tab has switched to a newer version. */
export function announceNewer(): void {
  if (!updateReady.get()) announce(null);
}

/** Reloads this page with the newer version; only on the user's request. */
export function takeUpdate(): void {
  isAsked = true;
  if (waiting) waiting.postMessage(TAKE_OVER);
  else location.reload();
}
