import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { fetchExport, saveFile } from '../../platform/export-data.ts';
import { loadFeatures } from '../../platform/features.ts';
import { CallError } from '../../platform/http/api-client.ts';
import { messageOf } from '../../platform/http/error-message.ts';
import { useDocuments, useSyncState } from '../../platform/sync/documents/use-document.ts';
import { useUnsent } from '../../platform/sync/outbox/use-outbox.ts';
import { unsavedWords } from '../../platform/sync/state/sync-status-text.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { addToZip } from './add-to-zip.ts';

/** Downloads all of the user's data, with a progress bar. */
export function ExportButton() {
  const unsent = unsavedWords(useSyncState(), useUnsent());
  const documents = useDocuments();
  const [part, setPart] = useState<number | null>(null);
  const [outcome, setOutcome] = useState<{ problem: string; isRefused: boolean } | 'saved' | null>(
    null,
  );
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);

  async function run() {
    const controller = new AbortController();
    leaving.current = controller;
    setOutcome(null);
    setPart(0);
    try {
      const archive = await fetchExport(setPart, controller.signal);
      const onlyHere = (await loadFeatures()).flatMap((feature) => feature.onlyHere ?? []);
      let complete = archive;
      for (const { file } of documents ? onlyHere : []) {
        const added = documents && (await file(documents));
        const content = added && new Uint8Array(await added.arrayBuffer());
        if (content) complete = await addToZip(complete, added.name, content);
      }
      saveFile(complete);
      setOutcome('saved');
    } catch (error) {
      const problem = messageOf(error);
      setOutcome({ problem, isRefused: error instanceof CallError });
    }
    setPart(null);
  }

  return (
    <div className="flex flex-col gap-3">
      <p className="text-soft">
        Everything we store about you in one archive: your profile, dogs, settings and history as
        JSON, plus your photos and sounds, and the walks on this device.
      </p>
      {unsent && (
        <p className="text-sm">Not included, because it isn’t saved on our server yet: {unsent}.</p>
      )}
      <Button
        look="secondary"
        wide
        onClick={() => void run()}
        pending={part !== null && `Downloading… ${Math.round(part * 100)}%`}
        Icon={Download}
      >
        Export my data
      </Button>
      {part !== null && (
        <progress
          aria-label="Export"
          value={part}
          max={1}
          className="h-2 w-full overflow-hidden rounded-full accent-accent"
        />
      )}
      <p role="status" className="text-sm font-bold empty:hidden">
        {outcome === 'saved' && 'Your data is in your downloads.'}
      </p>
      {outcome && outcome !== 'saved' && (
        <ErrorBanner title={outcome.isRefused ? undefined : outcome.problem}>
          {outcome.isRefused ? outcome.problem : 'You’re offline. Try again when you’re online.'}
        </ErrorBanner>
      )}
    </div>
  );
}
