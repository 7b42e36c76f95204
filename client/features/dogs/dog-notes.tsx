import { dogNote, type DogNote } from '#shared/dogs/contract.ts';
import { NOTE_WORDS } from '#shared/dogs/words.ts';
import { optionalLabel } from '../../platform/ui/inputs/optional-label.tsx';

/** What others should know of a dog when it comes near; the warning says it. */
export function DogNotes({
  notes,
  onChange,
}: {
  notes: readonly DogNote[];
  onChange: (notes: DogNote[]) => void;
}) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 font-bold">{optionalLabel('Good to know')}</legend>
      <div className="flex flex-wrap gap-2">
        {dogNote.options.map((note) => (
          <label
            key={note}
            className="flex min-h-11 cursor-pointer items-center gap-2 rounded-full border border-line-strong px-3 has-checked:border-2 has-checked:border-accent has-checked:bg-accent-soft has-checked:font-bold has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="checkbox"
              checked={notes.includes(note)}
              onChange={({ target: { checked } }) =>
                onChange(checked ? [...notes, note] : notes.filter((each) => each !== note))
              }
              className="size-4 accent-accent outline-none"
            />
            {NOTE_WORDS[note]}
          </label>
        ))}
      </div>
      <p className="text-sm text-soft">Others see and hear this when your dog comes near.</p>
    </fieldset>
  );
}
