//go:build static

package dualseal

// #cgo pkg-config: dualseal-static
import "C"
