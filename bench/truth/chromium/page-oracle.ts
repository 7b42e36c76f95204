import type { View } from '../../../tests/chat/simulation/device-protocol.ts';

/** What a page shows. */
export interface Shown {
  thread: View;
  chip: { label: string; explanation: string };
  isLossSaid: boolean;
}

/** What reads a page's screens and presses their controls, in the page itself. All settle within some seconds. */
export interface PageOracle {
  /** Shows another screen. */
  go(path: string): void;
  /** Returns what is on the screen; null while it is none of a member's. @param isWhole whether to load all earlier messages */
  shown(isWhole: boolean): Promise<Shown | null>;
  /** Returns the names of the dogs on their screen; null if it doesn't open. */
  dogs(): Promise<string[] | null>;
  /** The texts of the friend's messages that were ever on the screen. */
  seen(): string[];
  /** Puts the focus into the composer, with its text selected. @returns whether one can write */
  beginMessage(): Promise<boolean>;
  /** Waits until a message left the composer. @returns whether it did; otherwise it is removed there */
  isWritten(text: string): Promise<boolean>;
  /** Attaches a picture to the next message. @returns whether it is there */
  attach(): Promise<boolean>;
  /** @returns whether the message was there, as sent, and is gone */
  unsend(text: string): Promise<boolean>;
  /** Puts a message that is there, as sent, into the composer, selected. @returns whether it is there */
  beginEdit(text: string): Promise<boolean>;
  /** Waits until an edit left the composer. @returns whether it did; otherwise it is canceled */
  isEdited(to: string): Promise<boolean>;
  /** Opens the form for a dog, with the focus in its name. */
  beginDog(): Promise<boolean>;
  /** @returns whether the form took it */
  saveDog(): Promise<boolean>;
  block(): Promise<void>;
  /** Shows the thread to a reader, or puts the phone away. @returns the friend's messages that are on the screen */
  look(isLooking: boolean): string[];
  /** Damages a part of a stored document. @param chance from 0 up to 1 chooses it */
  damage(chance: number): Promise<void>;
}

/**
 * Installs `oracle` in a page, before the app. Its text is what runs, so it uses nothing of this file.
 * @param isPocketed whether the page begins as one that nobody looks at
 */
export function installOracle(isPocketed: boolean): void {
  const WITHIN_MS = 8_000;
  const PAGES_MAX = 10;
  let isHidden = isPocketed;
  Object.defineProperties(document, {
    hidden: { get: () => isHidden },
    visibilityState: { get: () => (isHidden ? 'hidden' : 'visible') },
  });
  const DELIVERY: Record<string, string> = {
    Sending: 'device',
    Sent: 'server',
    Delivered: 'delivered',
    Read: 'read',
  };
  const one = (selector: string) => document.querySelector<HTMLElement>(selector);
  const all = (selector: string, within: ParentNode = document) => [
    ...within.querySelectorAll<HTMLElement>(selector),
  ];
  /** Looks again and again. @returns what was found, or null */
  const until = async <T>(look: () => T | null | undefined | false, withinMs = WITHIN_MS) => {
    const end = performance.now() + withinMs;
    for (;;) {
      const found = look();
      if (found) return found;
      if (performance.now() > end) return null;
      await new Promise((resolve) => void setTimeout(resolve, 20));
    }
  };
  const articles = () => all('[role=log] article');
  const textOf = (article: Element) => article.querySelector('[dir=auto]')?.textContent ?? '';
  const isOwn = (article: Element) =>
    article.getAttribute('aria-label')?.startsWith('You,') ?? false;
  const theirs = () => articles().filter((each) => !isOwn(each));
  const named = (selector: string, text: string) =>
    all(selector).find((each) => each.textContent?.trim() === text);
  const ownArticle = (text: string) =>
    articles().find((each) => isOwn(each) && textOf(each) === text);
  /** Chooses an action of an own message that is sent. @returns whether it is offered */
  const choose = async (text: string, action: string) => {
    const article = ownArticle(text);
    const delivery = article?.querySelector<HTMLElement>('[data-delivery]')?.dataset['delivery'];
    if (!delivery || delivery === 'device') return false;
    article?.querySelector<HTMLElement>('[aria-haspopup=menu]')?.click();
    if (!(await until(() => one('[role=menu] [role=menuitem]')))) return false;
    const item = named('[role=menu] [role=menuitem]', action);
    if (item) item.click();
    else
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }),
      );
    return item !== undefined;
  };
  const saveEdit = () => one('[aria-label="Save the edited message"]');
  const composer = () => {
    const areas = [...document.querySelectorAll('textarea')];
    const area = areas.find(({ labels }) => labels[0]?.textContent?.startsWith('Message to'));
    return area && !area.disabled ? area : null;
  };
  const shownThread = (): View => {
    const words = one('nav[aria-label=Chats]')?.textContent ?? '';
    const [, count = '0', more = ''] = /(\d+)(\+?) unread message/.exec(words) ?? [];
    // It counts no further.
    const unread = more ? Infinity : Number(count);
    return {
      isHere: Boolean(one('[role=log]')) || document.body.innerText.includes('No messages yet'),
      messages: articles().map((each) => {
        const said = each.querySelector('[data-delivery]')?.textContent ?? null;
        return {
          text: textOf(each),
          isOwn: isOwn(each),
          delivery: said === null ? null : (DELIVERY[said] ?? 'held'),
          // One that isn't there yet is shown from this device.
          hasPhoto: all('img', each).some((image) => image.getAttribute('src')?.startsWith('/')),
        };
      }),
      unread: unread === 0 ? [] : theirs().slice(-unread).map(textOf),
    };
  };
  const loadEarlier = async () => {
    for (let left = PAGES_MAX; left > 0; left--) {
      const first = articles()[0];
      const button = named('[role=log] button', 'Load earlier messages');
      if (!button) return;
      button.click();
      await until(() => articles()[0] !== first, 1_000);
    }
  };
  const seen = new Set<string>();
  const note = () => {
    for (const each of theirs()) seen.add(textOf(each));
  };
  new MutationObserver(note).observe(document, { childList: true, subtree: true });

  const oracle: PageOracle = {
    go(path) {
      history.pushState(null, '', path);
      dispatchEvent(new PopStateEvent('popstate'));
    },
    async shown(isWhole) {
      const chip = () => one('header [data-sync]');
      if (!(await until(chip, 3_000))) return null;
      const about = () => one('[role=dialog][aria-label="About saving"]');
      if (!about()) chip()?.click();
      await until(() => about() ?? !chip());
      const [label, explanation] = [chip()?.textContent, about()?.textContent];
      if (label === undefined || explanation === undefined) return null;
      if (isWhole) await loadEarlier();
      return {
        thread: shownThread(),
        chip: { label: label ?? '', explanation: explanation ?? '' },
        isLossSaid: document.body.innerText.includes('deleted what was stored on this device'),
      };
    },
    async dogs() {
      oracle.go('/dogs');
      const list = await until(() => one('main [aria-label="My Dogs"]'));
      if (!list || list.textContent?.includes('haven’t loaded')) return null;
      await until(() => !list.textContent?.includes('Loading'));
      return all('button[aria-label^="Edit "]', list).map((each) =>
        (each.getAttribute('aria-label') ?? '').replace('Edit ', ''),
      );
    },
    seen: () => [...seen],
    async beginMessage() {
      const area = await until(composer);
      area?.focus();
      area?.select();
      return area !== null;
    },
    async isWritten(text) {
      const isAway = await until(() => composer()?.value === '');
      if (isAway) await until(() => ownArticle(text));
      return isAway === true;
    },
    async attach() {
      const input = document.querySelector<HTMLInputElement>('[data-testid=chat-photo]');
      if (!input || !composer()) return false;
      const canvas = document.createElement('canvas');
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
      const files = new DataTransfer();
      files.items.add(new File([blob ?? ''], 'dog.png', { type: 'image/png' }));
      input.files = files.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
      return Boolean(await until(() => one('[aria-label^="Remove photo"]')));
    },
    async unsend(text) {
      if (!(await choose(text, 'Unsend'))) return false;
      return (await until(() => !ownArticle(text))) === true;
    },
    async beginEdit(text) {
      if (!(await choose(text, 'Edit'))) return false;
      const area = await until(() =>
        saveEdit() && composer()?.value === text ? composer() : null,
      );
      area?.focus();
      area?.select();
      return area !== null;
    },
    async isEdited(to) {
      if (!(await until(() => !saveEdit()))) {
        one('[aria-label="Cancel editing"]')?.click();
        return false;
      }
      await until(() => ownArticle(to));
      return true;
    },
    async beginDog() {
      oracle.go('/dogs?open=add-dog');
      const field = await until(() => one('[role=dialog] input[required]'));
      field?.focus();
      return field !== null;
    },
    async saveDog() {
      one('[role=dialog] input[value=leash_on]')?.click();
      const submit = await until(() => one('[role=dialog] [type=submit]:not(:disabled)'));
      submit?.click();
      return submit !== null && (await until(() => !one('[role=dialog] form'))) === true;
    },
    async block() {
      oracle.go(`${location.pathname}?open=block`);
      (await until(() => named('[role=dialog] button', 'Block')))?.click();
      await until(() => !one('[role=dialog] textarea'));
    },
    look(isLooking) {
      isHidden = !isLooking;
      document.dispatchEvent(new Event('visibilitychange'));
      if (isLooking) one('[role=log]')?.scrollTo({ top: 1e9 });
      return theirs().map(textOf);
    },
    async damage(chance) {
      const asked = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      const database = await asked(indexedDB.open('leashwise-documents'));
      try {
        const keys = (
          await asked(database.transaction('chunks').objectStore('chunks').getAllKeys())
        )
          .filter((key): key is string[] => Array.isArray(key))
          .filter(([, , kind]) => kind === 'snapshot' || kind === 'incremental');
        const key = keys[Math.floor(chance * keys.length)];
        if (!key) return;
        const store = database.transaction('chunks', 'readwrite').objectStore('chunks');
        const row = (await asked(store.get(key))) as { binary: Uint8Array } | undefined;
        const binary = row?.binary.map((byte, i) => (i % 50 === 9 ? ~byte : byte));
        if (binary) await asked(store.put({ key, binary }, key));
      } finally {
        database.close();
      }
    },
  };
  Object.assign(window, { oracle });
}
