import { ImagePlus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { toast } from 'sonner';
import { useAction } from '../../../platform/forms/use-action.ts';
import { messageOf } from '../../../platform/http/error-message.ts';
import { readPicture } from '../../../platform/pictures/read-picture.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { MessageField } from '../../../platform/ui/inputs/message-field.tsx';
import { Card } from '../../../platform/ui/layout/card.tsx';
import { useWalkHistory } from '../use-walks.ts';
import { WALK_NOTE_MAX, WALK_PHOTO_CHARACTERS_MAX, type Walk } from '../walk.ts';

const dataUrlOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'));
    reader.readAsDataURL(file);
  });

/** A photo and a note of a walk, which stay on this device. */
export function WalkNotes({ walk }: { walk: Walk }) {
  const history = useWalkHistory();
  const [note, setNote] = useState(walk.note ?? '');
  const input = useRef<HTMLInputElement>(null);
  /** @returns whether it is stored; if not, it was said */
  const describe = async (details: Pick<Walk, 'note' | 'photo'>) => {
    const isStored = (await history?.describe(walk.id, details)) ?? false;
    if (!isStored) toast.error('This browser can’t store that right now. Keep this page open.');
    return isStored;
  };
  const [choose, isReading] = useAction(async (chosen: File) => {
    try {
      const photo = await dataUrlOf((await readPicture(chosen)).file);
      if (photo.length > WALK_PHOTO_CHARACTERS_MAX)
        return void toast.error('This photo is too large.');
      await describe({ photo });
    } catch (error) {
      toast.error(messageOf(error));
    }
  });
  return (
    <Card title="Photo and note">
      <div className="flex flex-col gap-3">
        {walk.photo && (
          <img
            src={walk.photo}
            alt="From this walk"
            className="max-h-80 w-full rounded-card object-cover"
          />
        )}
        <div className="flex flex-wrap gap-2">
          <input
            ref={input}
            type="file"
            accept="image/*"
            className="hidden"
            aria-label="Photo of this walk"
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file) void choose(file);
              target.value = '';
            }}
          />
          <Button
            look="secondary"
            Icon={ImagePlus}
            pending={isReading && 'Reading the photo…'}
            onClick={() => input.current?.click()}
          >
            {walk.photo ? 'Another photo' : 'Add a photo'}
          </Button>
          {walk.photo && (
            <Button look="quiet" Icon={Trash2} onClick={() => void describe({ photo: undefined })}>
              Remove photo
            </Button>
          )}
        </div>
        <MessageField label="Note" value={note} max={WALK_NOTE_MAX} onChange={setNote} />
        {note.trim() !== (walk.note ?? '') && (
          <Button
            look="secondary"
            onClick={() =>
              void describe({ note: note.trim() || undefined }).then(
                (isStored) => isStored && toast.success('Note saved'),
              )
            }
          >
            Save note
          </Button>
        )}
        <p className="text-sm text-soft">Only on this device, like the route.</p>
      </div>
    </Card>
  );
}
