import Glibc
import _Confinement

// Confines itself as the process that draws cards, and makes one system call: its number, then its arguments, which are
// -1 where they are left out. Exits with the errno of the call, or with 0.

let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let missing = repeatElement(-1, count: max(0, 7 - numbers.count))
let values = numbers + missing
typealias SystemCall = @convention(c) (Int, Int, Int, Int, Int, Int, Int) -> Int
guard numbers.count == CommandLine.arguments.count - 1, let number = numbers.first,
  let symbol = unsafe dlsym(nil, "syscall")
else { exit(200) }
let call = unsafe unsafeBitCast(symbol, to: SystemCall.self)
do throws(ConfinementError) {
  try Confinement(readable: ["/usr", "/lib"], memory: 256 << 20, channel: 3).apply()
} catch {
  exit(201)
}
let result = call(number, values[1], values[2], values[3], values[4], values[5], values[6])
exit(result == -1 ? errno : 0)
