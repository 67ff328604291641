/**
 * What a form is by its structure:
 * - `reads`: it searches, filters or calculates
 * - `login`: it lets somebody in
 * - `entrance`: it has a name and a secret, and says nothing of what it does
 * - `sensitive`: it has a password or a card in it, or an address of a person and a word for accounts or for something that is done
 * - `addressed`: it has an address of a person among other fields, as those have by which a visitor applies or registers
 * - `upload`: it takes a file, and is nothing of the above
 * - `adds`: its words say that what is filled in is added somewhere or handed over
 * - `message`: it sends a message, or somebody's address to a list
 * - `ends-session`, `would-act`: its address, its buttons or a command among its fields say so
 * - `credential`: it makes a key, a token or a webhook of somebody's account
 * - `sets`: it sets something of the whole site
 * - `bare`: it has no field, and its button says "Submit", to what nobody knows
 * - `keeps`: its words or its long text say that it keeps something, which may stand in its fields already
 * - `asks`: a GET with a text that stands in no field yet, and nothing that says that it keeps or does something
 * - `unknown`: anything else; as a tool it asks for something to work with, such as a host, and nothing stands in its fields
 */
export type FormKind =
  | {
      kind:
        | 'reads'
        | 'login'
        | 'entrance'
        | 'sensitive'
        | 'addressed'
        | 'upload'
        | 'message'
        | 'credential'
        | 'sets'
        | 'bare'
        | 'asks';
    }
  | { kind: 'unknown'; isTool?: boolean }
  | { kind: 'keeps'; isFilledIn: boolean }
  | { kind: 'adds'; word: string; takesFile: boolean }
  | { kind: 'ends-session' | 'would-act'; word: string };
