import { useEffect, useState } from 'react';
import { loadFeatures, type OnlyHere } from '../features.ts';
import { useDocuments } from '../sync/documents/use-document.ts';

/** What is only on this device, as texts: the title of a question, and what a logout deletes. */
interface ShownOnlyHere {
  title: string;
  sentence: string;
  keep: () => Promise<void>;
  file: () => Promise<File | null>;
}

/**
 * Returns what is only on this device; null if nothing is; 'unread' until it has been read. That may happen during the first render,
 * which an external store would make React start again.
 */
export function useOnlyHere(): ShownOnlyHere | 'unread' | null {
  const documents = useDocuments();
  const [shown, setShown] = useState<ShownOnlyHere | 'unread' | null>('unread');
  useEffect(() => {
    if (!documents) return;
    let stop = () => {};
    let isOver = false;
    const follow = ({ of, title, sentence, keep, file }: OnlyHere) => {
      const list = of(documents);
      const show = () => {
        const count = list.count();
        if (!count) return setShown(count === null ? 'unread' : null);
        setShown({
          title,
          sentence: sentence(count),
          keep: () => keep(documents),
          file: () => file(documents),
        });
      };
      show();
      stop = list.subscribe(show);
    };
    const start = async () => {
      const [first] = (await loadFeatures()).flatMap(({ onlyHere }) => onlyHere ?? []);
      if (isOver) return;
      if (first) follow(first);
      else setShown(null);
    };
    start().catch((error: unknown) => console.error('Failed to load the features', error));
    return () => {
      isOver = true;
      stop();
    };
  }, [documents]);
  return documents ? shown : null;
}
