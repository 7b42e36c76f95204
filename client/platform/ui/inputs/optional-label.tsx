/** Returns the label of an optional field. */
export const optionalLabel = (name: string, more = '') => (
  <>
    {name} <span className="font-normal text-soft">(optional{more})</span>
  </>
);
