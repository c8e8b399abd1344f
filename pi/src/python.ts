/** Where the Python side is: what the user's own settings, this package's checkout or the user's PATH name. */

import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";

export const PACKAGE = dirname(dirname(fileURLToPath(import.meta.url)));
const ROOT = dirname(PACKAGE);
const HAS_SOURCE = existsSync(join(ROOT, "pyproject.toml"));
// -I: neither the working folder, which may be a stranger's repository, nor PYTHONPATH is imported from.
const MODULE = ["-I", "-m", "freehold.surfaces.pi"];

const runs = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The command that `freehold connect pi` recorded. */
const recorded = (agentFolder: string): string[] => {
  try {
    const { command } = JSON.parse(readFileSync(join(agentFolder, "freehold.json"), "utf8"));
    return Array.isArray(command) && command.every((word) => typeof word === "string") ? command : [];
  } catch {
    return []; // Missing or broken: the worker, which owns the file, says what is wrong in it.
  }
};

/** Returns the command of the worker, or undefined where Python's side is not installed. */
export function findWorker(agentFolder: string): string[] | undefined {
  const command = recorded(agentFolder);
  if (command[0] !== undefined && isAbsolute(command[0]) && runs(command[0])) return command;
  const pythons = [...(HAS_SOURCE ? [join(ROOT, ".venv", "bin", "python")] : []), join(agentFolder, "freehold", "bin", "python")];
  const python = pythons.find(runs);
  if (python) return [python, ...MODULE];
  const folders = (process.env.PATH ?? "").split(delimiter).filter(isAbsolute);
  const found = folders.map((folder) => join(folder, "freehold")).find(runs);
  return found ? [found, "pi-worker"] : undefined;
}

/** The one command that installs Python's side where `findWorker` looks. */
export function howToInstall(agentFolder: string): string {
  const folder = join(agentFolder, "freehold");
  return `python3 -m venv "${folder}" && "${folder}/bin/pip" install "${HAS_SOURCE ? ROOT : "freehold"}"`;
}
