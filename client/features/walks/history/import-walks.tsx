import { Upload } from 'lucide-react';
import { useRef, type ComponentProps } from 'react';
import { toast } from 'sonner';
import { useAction } from '../../../platform/forms/use-action.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { formatWalks } from '../format.ts';
import { useWalkHistory } from '../use-walks.ts';
import { readWalksFile, WALKS_FILE_MAX_BYTES } from '../walks-file.ts';

/** Adds the walks of a file that was exported here or on another device. */
export function ImportWalks({
  look = 'secondary',
  className,
}: Pick<ComponentProps<typeof Button>, 'look' | 'className'>) {
  const history = useWalkHistory();
  const input = useRef<HTMLInputElement>(null);
  const [read, isReading] = useAction(async (file: File) => {
    if (!history) return;
    if (file.size > WALKS_FILE_MAX_BYTES) return void toast.error('This file is too large.');
    try {
      const count = await history.add(readWalksFile(await file.text()));
      toast.success(
        count === 0 ? 'All of these walks are here already' : `${formatWalks(count)} added`,
      );
    } catch {
      toast.error('This isn’t a file of walks. Choose walks.json, as exported from this page.');
    }
  });
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        className="hidden"
        aria-label="File of walks"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) void read(file);
          target.value = '';
        }}
      />
      <Button
        look={look}
        wide={look === 'secondary'}
        className={className}
        Icon={Upload}
        pending={isReading && 'Adding walks…'}
        onClick={() => input.current?.click()}
      >
        Import walks
      </Button>
    </>
  );
}
