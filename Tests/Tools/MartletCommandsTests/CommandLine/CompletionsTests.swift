import Foundation
import TestSupport
import Testing

@testable import MartletCommands

/// The completions, asked of the shells themselves.
@Suite("Completions in bash, zsh and fish", .timeLimit(.minutes(10)))
struct CompletionsTests {
  typealias Shell = CompletionsCommand.Shell

  private let folder = TemporaryFolder()

  /// What a shell offers for a line with the cursor at its end, in a folder with `a.json` and
  /// `sub/`.
  private func offers(_ shell: Shell, _ line: String) async throws -> Set<String> {
    let console = RecordingConsole()
    #expect(await console.run("completions", shell.rawValue) == .success)
    let script = try folder.write(console.text + "\n", to: "martlet.\(shell)")
    let place = folder.url.appending(path: "place/sub")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try Data("{}".utf8).write(to: folder.url.appending(path: "place/a.json"))
    let driver = try folder.write(Self.driver(shell), to: "driver.\(shell)")
    let result = await runProgram(
      "/usr/bin/env",
      [shell.rawValue] + (shell == .bash ? ["--norc"] : shell == .zsh ? ["-f"] : ["--no-config"])
        + [driver, script, folder.path("place"), line])
    #expect(result.status == 0, "\(result.output)")
    return Set(
      result.output.split(separator: "\n").map { line in
        // fish prints a tab and the description, zsh a file's slash.
        let word = line.prefix { $0 != "\t" }.trimmingCharacters(in: .whitespaces)
        return word.hasSuffix("/") ? String(word.dropLast()) : word
      }.filter { !$0.isEmpty })
  }

  private static func driver(_ shell: Shell) -> String {
    switch shell {
    case .bash:
      """
      set -e
      source "$1"; cd "$2"
      # As readline splits a line: = is a word of its own.
      line=${3//=/ = }
      read -ra COMP_WORDS <<<"$line"
      [[ $line == *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _martlet martlet || true
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    case .zsh:
      #"""
      zmodload zsh/zpty
      zpty z zsh -f -i
      setup='
        PS1=; unsetopt zle_bracketed_paste 2>/dev/null; autoload -Uz compinit; compinit -u -D
        cd '${(q)2}'; source '${(q)1}'
        compadd () {
          if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return $?; fi
          local -a found
          builtin compadd -O found "$@"
          (( $#found )) && print -rl -- ${found/#/HIT:}
          builtin compadd "$@"
        }
        finish () { print END-OF-LIST; exit }
        zle -C list-all list-choices _main_complete
        show () { zle list-all; print; finish }
        zle -N show
        bindkey "^T" show
        print READY
      '
      print -r -- "$setup" >| $1.setup
      zpty -w z "source ${(q)1}.setup"
      while zpty -r z answer && [[ $answer != *READY* ]]; do :; done
      zpty -n -w z "$3"$'\x14'
      while zpty -r z answer; do
        [[ $answer == *END-OF-LIST* ]] && break
        answer=${answer%%[[:cntrl:]]##}
        [[ $answer == *HIT:* ]] && print -r -- ${${answer##*HIT:}//[[:cntrl:]]/}
      done
      zpty -d z
      exit 0
      """#
    case .fish:
      """
      source $argv[1]; cd $argv[2]
      complete -C "$argv[3]"
      """
    }
  }

  @Test("the first word is a command, the second a subcommand", arguments: Shell.allCases)
  func commands(shell: Shell) async throws {
    let first = try await offers(shell, "martlet ")
    #expect(first.isSuperset(of: ["serve", "apps", "lint", "apns-sandbox", "help"]))
    #expect(!first.contains("create"))
    #expect(try await offers(shell, "martlet li") == ["lint"])
    #expect(try await offers(shell, "martlet apps c") == ["create"])
    let help = try await offers(shell, "martlet help keys ")
    #expect(help.isSuperset(of: ["create", "list", "revoke"]))
  }

  @Test("a word that begins with a dash is an option of the command", arguments: Shell.allCases)
  func options(shell: Shell) async throws {
    #expect(try await offers(shell, "martlet lint --fo").contains { $0.hasPrefix("--format") })
    let create = try await offers(shell, "martlet apps create --")
    for option in AppsCreateCommand.options.map(\.definition.name) {
      #expect(create.contains { $0.hasPrefix(option) }, "\(option)")
    }
    #expect(!create.contains { $0.hasPrefix("--format") })
  }

  @Test("the words of an option that takes one of some", arguments: Shell.allCases)
  func words(shell: Shell) async throws {
    #expect(try await offers(shell, "martlet lint --format ") == ["text", "json", "sarif"])
    #expect(try await offers(shell, "martlet serve --log-level w") == ["warning"])
    let joined = try await offers(shell, "martlet lint --format=te")
    #expect(joined.contains { $0.hasSuffix("text") } && joined.count == 1)
    #expect(try await offers(shell, "martlet completions z") == ["zsh"])
  }

  @Test("files and folders where an option or an operand takes them", arguments: Shell.allCases)
  func files(shell: Shell) async throws {
    #expect(try await offers(shell, "martlet lint a").contains("a.json"))
    #expect(try await offers(shell, "martlet serve --config a").contains("a.json"))
    let folders = try await offers(shell, "martlet serve --data ")
    #expect(folders.contains("sub") && !folders.contains("a.json"))
    #expect(try await offers(shell, "martlet apps create --team-id a").isEmpty)
  }

  @Test("a shell that is not known is refused")
  func unknown() async {
    let console = RecordingConsole()
    #expect(await console.run("completions", "tcsh") == .invalidInput)
    #expect(console.errors == ["martlet completions: SHELL is bash, zsh or fish, not \"tcsh\""])
  }
}
